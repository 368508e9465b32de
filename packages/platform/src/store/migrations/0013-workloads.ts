import { type Kysely, type Migration, sql } from 'kysely';

// Workloads are asked for by application, or newest first for a whole runtime; deletions are forgotten by age.
const indexes = sql`
  create index reported_workloads_by_application on reported_objects
    (runtime_id, (payload #>> '{application,name}')) where kind = 'workload' and not deleted;
  create index reported_workloads_by_change on reported_objects
    (runtime_id, version_at) where kind = 'workload' and not deleted;
  create index reported_workloads_gone on reported_objects (received_at) where kind = 'workload' and deleted;
`;

export const workloads: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await indexes.execute(db);
  },
};

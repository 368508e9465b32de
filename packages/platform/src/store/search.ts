// One box for everything: what has the words in its name. Few of each kind, so that it answers while people type.
import type { SearchHit } from '@fairlead/contracts';
import { type Kysely, sql } from 'kysely';
import { likePattern } from './application-filter.ts';
import { listApplications } from './applications.ts';
import type { Database } from './schema.ts';

const hitsPerKind = 10;

interface SearchQuery {
  readonly accountId: string;
  readonly text: string;
}

export async function searchEverything(db: Kysely<Database>, { accountId, text }: SearchQuery): Promise<SearchHit[]> {
  const pattern = likePattern(text.trim().toLowerCase());
  const [applications, runtimes, projects, clusters] = await Promise.all([
    listApplications(db, { accountId, search: text, sort: 'attention', limit: hitsPerKind }),
    db
      .selectFrom('runtimes')
      .select('name')
      .where('account_id', '=', accountId)
      .where('name', 'like', pattern)
      .orderBy('name')
      .limit(hitsPerKind)
      .execute(),
    grouped(db, { accountId, column: 'project', pattern }),
    grouped(db, { accountId, column: 'cluster', pattern }),
  ]);
  return [
    ...runtimes.map(({ name }) => ({ kind: 'runtime', name }) as const),
    ...projects.map((hit) => ({ kind: 'project', ...hit }) as const),
    ...clusters.map((hit) => ({ kind: 'cluster', ...hit }) as const),
    ...applications.items.map(
      ({ id, health, sync }) => ({ kind: 'application', id, health: health.status, sync: sync.status }) as const,
    ),
  ];
}

interface Grouped {
  readonly accountId: string;
  readonly column: 'project' | 'cluster';
  readonly pattern: string;
}

function grouped(db: Kysely<Database>, { accountId, column, pattern }: Grouped) {
  return db
    .selectFrom('applications')
    .select(`${column} as name`)
    .select(sql<number>`count(*)::int`.as('applications'))
    .where('account_id', '=', accountId)
    .where(sql<boolean>`lower(${sql.ref(column)}) like ${pattern}`)
    .groupBy(column)
    .orderBy(sql`count(*)`, 'desc')
    .orderBy(column)
    .limit(hitsPerKind)
    .execute();
}

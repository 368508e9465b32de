import type {
  ApplicationDetail,
  ApplicationId,
  ApplicationReport,
  ResourceManifests,
  ResourceReport,
} from '@fairlead/contracts';
import type { Kysely } from 'kysely';
import { projectApplication } from '../../ingest/index.ts';
import {
  applicationRow,
  type Database,
  findRuntime,
  listApplications,
  summariseApplications,
} from '../../store/index.ts';
import { ApiFailure } from '../failure.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';
import { type Moment, pastOf } from './past.ts';
import { unknownApplication } from './unknown.ts';

type Names = 'listApplications' | 'getApplication' | 'getApplicationResource';

const defaultLimit = 100;
const list = (text: string | undefined) => text?.split(',').filter(Boolean).slice(0, 200);

export function applicationHandlers({ store: { db } }: HandlerDeps): HandlersOf<Names> {
  return {
    async listApplications({ caller, query }) {
      const accountId = caller.account.id;
      const { search, sort = 'attention', limit = defaultLimit, after } = query;
      const [page, summary] = await Promise.all([
        listApplications(db, {
          accountId,
          search: search?.slice(0, 200),
          health: list(query.health),
          sync: list(query.sync),
          runtime: list(query.runtime),
          cluster: list(query.cluster),
          namespace: list(query.namespace),
          project: list(query.project),
          sort,
          limit,
          after,
        }),
        summariseApplications(db, accountId),
      ]);
      return { ...page, summary };
    },
    async getApplication({ caller, params, query }) {
      if (query.at !== undefined) return detailAt(db, caller.account.id, { ...params, at: query.at });
      const [row, report] = await Promise.all([
        applicationRow(db, { accountId: caller.account.id, ...params }),
        reportOf(db, caller.account.id, params),
      ]);
      if (!row) throw unknownApplication(params);
      return { row, report };
    },
    async getApplicationResource({ caller, params, query }) {
      const accountId = caller.account.id;
      const { report } =
        query.at === undefined
          ? { report: await reportOf(db, accountId, params) }
          : await pastOf(db, accountId, { ...params, at: query.at });
      const isAsked = (thing: Pick<ResourceReport, 'group' | 'kind' | 'namespace' | 'name'>) =>
        thing.kind === query.kind &&
        thing.name === query.resource &&
        thing.group === (query.group ?? '') &&
        thing.namespace === (query.namespace ?? '');
      const resource = report.resources.find(isAsked);
      if (resource) return manifestsOf(db, accountId, resource);
      // Nodes below managed resources are shown in the tree; their manifests are not reported.
      if (report.tree.some(isAsked)) return {};
      throw new ApiFailure('not_found', `application ${params.name} has no ${query.kind} ${query.resource}`);
    },
  };
}

async function detailAt(db: Kysely<Database>, accountId: string, moment: Moment): Promise<ApplicationDetail> {
  const { at, report } = await pastOf(db, accountId, moment);
  const { runtime, namespace, name } = moment;
  const { row } = projectApplication(report);
  return { row: { id: { runtime, namespace, name }, ...row, changedAt: at, lastHeardAt: at }, report, at };
}

async function reportOf(db: Kysely<Database>, accountId: string, id: ApplicationId): Promise<ApplicationReport> {
  const runtime = await findRuntime(db, { accountId, name: id.runtime });
  const stored =
    runtime &&
    (await db
      .selectFrom('reported_objects')
      .select('payload')
      .where('runtime_id', '=', runtime.id)
      .where('kind', '=', 'application')
      .where('key', '=', `${id.namespace}/${id.name}`)
      .where('deleted', '=', false)
      .executeTakeFirst());
  if (!stored) throw unknownApplication(id);
  return stored.payload as ApplicationReport; // checked by its schema before it was stored
}

async function manifestsOf(
  db: Kysely<Database>,
  accountId: string,
  { desired, live, diff }: ResourceReport,
): Promise<ResourceManifests> {
  const hashes = [desired, live, diff?.predicted, diff?.normalized].filter((hash) => hash !== undefined);
  if (hashes.length === 0) return {};
  const stored = await db
    .selectFrom('contents')
    .select(['hash', 'body'])
    .where('account_id', '=', accountId)
    .where('hash', 'in', hashes)
    .execute();
  const bodies = new Map(stored.map(({ hash, body }) => [hash, JSON.parse(body) as unknown]));
  const found = (hash: string | undefined) => (hash === undefined ? undefined : bodies.get(hash));
  const [desiredBody, liveBody] = [found(desired), found(live)];
  const [predicted, normalized] = [found(diff?.predicted), found(diff?.normalized)];
  return {
    ...(desiredBody === undefined ? {} : { desired: desiredBody }),
    ...(liveBody === undefined ? {} : { live: liveBody }),
    ...(predicted === undefined || normalized === undefined ? {} : { diff: { predicted, normalized } }),
  };
}

import { sha256Hex } from '@fairlead/base';
import type {
  ApplicationDetail,
  ApplicationFacets,
  ApplicationId,
  ApplicationReport,
  ApplicationSummary,
  ResourceManifests,
  ResourceReport,
  RouteQuery,
  routes,
  Visibility,
} from '@fairlead/contracts';
import type { Kysely } from 'kysely';
import { projectApplication } from '../../ingest/index.ts';
import {
  type ApplicationFilter,
  applicationRow,
  type Caller,
  countApplications,
  countFacets,
  type Database,
  filterNames,
  findRuntime,
  isUnfiltered,
  listApplications,
  Remembered,
  type Seen,
  searchEverything,
  summariseApplications,
} from '../../store/index.ts';
import { ApiFailure } from '../failure.ts';
import { type HandlersOf, JsonText } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';
import { type Moment, pastOf } from './past.ts';
import { unknownApplication } from './unknown.ts';

type Names = 'search' | 'listApplications' | 'listApplicationFacets' | 'getApplication' | 'getApplicationResource';

const defaultLimit = 100;
const list = (text: string | undefined) => text?.split(',').filter(Boolean).slice(0, 200);

type FilterQuery = RouteQuery<typeof routes.listApplicationFacets>;

function filterOf(seen: Seen, query: FilterQuery): ApplicationFilter {
  const { search, label } = query;
  const values = filterNames.map((name) => [name, list(query[name])]);
  return { ...seen, search: search?.slice(0, 200), label: list(label)?.slice(0, 20), ...Object.fromEntries(values) };
}

/** A short name for it: the rules in it can be many, and are the same object until they change. */
const questionOf = ({ visibility, ...asked }: Seen): string =>
  `${rulesOf(visibility)} ${sha256Hex(JSON.stringify(asked))}`;

const namesOfRules = new WeakMap<Visibility, string>();
function rulesOf(visibility: Visibility): string {
  const name = namesOfRules.get(visibility) ?? sha256Hex(JSON.stringify(visibility));
  namesOfRules.set(visibility, name);
  return name;
}

/** Questions about how many there are, of all users: answers are small. */
const maxRemembered = 2_000;

export function applicationHandlers({ store, access }: HandlerDeps): HandlersOf<Names> {
  const { db } = store;
  const remember = { max: maxRemembered, generation: () => store.generation };
  const counts = new Remembered<number>(remember);
  const summaries = new Remembered<ApplicationSummary>(remember);
  const facets = new Remembered<ApplicationFacets>(remember);
  const seenBy = async (caller: Caller): Promise<Seen> => ({
    accountId: caller.account.id,
    visibility: await access.visibility(caller),
  });
  return {
    async search({ caller, query }) {
      return {
        items: await searchEverything(db, {
          ...(await seenBy(caller)),
          sight: await access.sight(caller),
          text: query.query,
        }),
      };
    },
    async listApplications({ caller, query }) {
      const { visibility, checking } = await access.applications(caller);
      const seen = { accountId: caller.account.id, visibility };
      const filter = filterOf(seen, query);
      const { sort = 'attention', limit = defaultLimit, after } = query;
      const [page, summary, counted] = await Promise.all([
        listApplications(db, { ...filter, sort, limit, after }),
        summaries.get(questionOf(seen), () => summariseApplications(db, seen)),
        isUnfiltered(filter) ? undefined : counts.get(questionOf(filter), () => countApplications(db, filter)),
      ]);
      const gitRights = checking === undefined ? {} : { gitRights: { checking } };
      const rest = JSON.stringify({ next: page.next, matched: counted ?? summary.total, summary, ...gitRights });
      return new JsonText(`{"items":${page.itemsJson},${rest.slice(1)}`);
    },
    async listApplicationFacets({ caller, query }) {
      const filter = filterOf(await seenBy(caller), query);
      return facets.get(questionOf(filter), () => countFacets(db, filter));
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

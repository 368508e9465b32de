// Whatever concerns one runtime goes to its app-proxy; the platform itself changes nothing. One handler for every route of
// the app-proxy: what is not a read stands in the audit log before it is sent, and its outcome after.
import { errorMessage, FairleadError } from '@fairlead/base';
import { type AppProxyRoute, type AppProxyRouteName, appProxyRoutes, isEventStream } from '@fairlead/contracts';
import { appendAudit } from '../../audit/index.ts';
import { applicationRow, findRuntime, type RuntimeRecord } from '../../store/index.ts';
import { relayCall, relayStream } from '../../tunnel-server/index.ts';
import { ApiFailure } from '../failure.ts';
import { type HandlersOf, StreamAnswer } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';
import { OpenStreams } from './open-streams.ts';
import { noteGitTokens } from './passing-tokens.ts';
import { type RelayInput, streamWhileAllowed } from './relayed-stream.ts';
import { unknownApplication } from './unknown.ts';

type Params = Readonly<Record<string, string>>;

export function relayHandlers(deps: HandlerDeps): HandlersOf<AppProxyRouteName> {
  const streams = new OpenStreams();
  const handlers = Object.entries<AppProxyRoute>(appProxyRoutes).map(([name, route]) => {
    const handler = async (input: RelayInput) => {
      const runtime = await target(deps, route, input);
      const call = { ...input, route, runtime };
      if (isEventStream(route)) {
        return streams.run(input.caller.user.id, async () => {
          const body = await relayStream(deps, { ...call, signal: input.gone });
          return new StreamAnswer(streamWhileAllowed(body, { ...input, clock: deps.store.clock }));
        });
      }
      const isRead = route.method === 'GET' || route.reads;
      const ask = () => relayCall(deps, call);
      const answer = isRead ? await ask() : await audited(deps, { ...input, route }, ask);
      // The keys of the table are the names of the routes.
      await noteGitTokens(deps, { name: name as AppProxyRouteName, input, runtime, answer });
      return answer;
    };
    return [name, handler];
  });
  return Object.fromEntries(handlers); // each handler takes what the route of its name was checked to have
}

/** The runtime in the path; with the application in the path being there. */
async function target(
  { store }: HandlerDeps,
  { needs }: AppProxyRoute,
  { params, caller }: RelayInput,
): Promise<RuntimeRecord> {
  const accountId = caller.account.id;
  const { runtime: name = '' } = params;
  const runtime = await findRuntime(store.db, { accountId, name });
  if (needs === 'member' || needs === 'admin') {
    if (!runtime) throw new ApiFailure('not_found', `there is no runtime ${name}`);
    return runtime;
  }
  const id = { runtime: name, namespace: params['namespace'] ?? '', name: params['name'] ?? '' };
  if (!runtime || !(await applicationRow(store.db, { accountId, ...id }))) throw unknownApplication(id);
  return runtime;
}

type AuditedAct = Pick<RelayInput, 'params' | 'query' | 'body' | 'caller' | 'requestId'> & {
  readonly route: AppProxyRoute;
};

/** The act stands in the log before it is sent, and its outcome after. */
export async function audited<T>(
  { store, log }: HandlerDeps,
  { route, params, query, body, caller, requestId }: AuditedAct,
  act: () => Promise<T>,
): Promise<T> {
  const note = (outcome: 'requested' | 'done' | 'failed', details = {}) => {
    const context = { caller, requestId, now: new Date(store.clock.now()) };
    const entry = { action: route.act, entity: entityOf(route, params), outcome, details };
    return store.transaction((trx) => appendAudit(trx, context, entry));
  };
  await note('requested', route.secret ? {} : { body: body ?? {}, ...(query ? { query } : {}) });
  // The act is in the log by now; when its outcome cannot be added, the caller must still learn of it.
  const noteOutcome = (...outcome: Parameters<typeof note>) =>
    note(...outcome).catch((error: unknown) => {
      log.error({ requestId, error: errorMessage(error) }, 'the outcome of an act is missing in the audit log');
    });
  try {
    const answer = await act();
    await noteOutcome('done', commitOf(answer));
    return answer;
  } catch (error) {
    await noteOutcome('failed', { code: error instanceof FairleadError ? error.code : 'internal' });
    throw error;
  }
}

function entityOf({ needs, path }: AppProxyRoute, params: Params): { kind: string; name: string } {
  const { runtime = '', namespace, name } = params;
  if (needs !== 'member' && needs !== 'admin') return { kind: 'application', name: `${runtime}/${namespace}/${name}` };
  const [, , , , noun = '', ...rest] = path.split('/');
  const place = rest.map((part) => part.replace(/^\{(\w+)\}$/, (_, key: string) => params[key] ?? ''));
  return { kind: noun, name: [runtime, ...place].join('/') };
}

/** A commit that an act made joins the log with it. */
function commitOf(answer: unknown): object {
  const { commit } = (answer ?? {}) as { commit?: { sha?: unknown; repoURL?: unknown; path?: unknown } };
  return commit ? { commit: commit.sha, repoURL: commit.repoURL, path: commit.path } : {};
}

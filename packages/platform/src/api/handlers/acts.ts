// Acts on applications go to the runtime that holds them; the platform itself changes nothing.
import { errorMessage, FairleadError } from '@fairlead/base';
import { type ActReceipt, type ApplicationId, type AppProxyRouteName, appProxyRoutes } from '@fairlead/contracts';
import { appendAudit } from '../../audit/index.ts';
import { applicationRow, type Caller, findRuntime } from '../../store/index.ts';
import { forwardAct } from '../../tunnel-server/index.ts';
import { ApiFailure } from '../failure.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

type Names = 'syncApplication' | 'refreshApplication' | 'terminateOperation';

interface Act {
  readonly params: ApplicationId;
  readonly body?: unknown;
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

const nameOf = ({ runtime, namespace, name }: ApplicationId) => `${runtime}/${namespace}/${name}`;

export function actHandlers(deps: HandlerDeps): HandlersOf<Names> {
  const act = async (
    route: AppProxyRouteName,
    { params, body, caller, requestId, signal }: Act,
  ): Promise<ActReceipt> => {
    const { db } = deps.store;
    const key = { accountId: caller.account.id, ...params };
    const [runtime, row] = await Promise.all([
      findRuntime(db, { accountId: caller.account.id, name: params.runtime }),
      applicationRow(db, key),
    ]);
    if (!runtime || !row) {
      const { namespace, name } = params;
      throw new ApiFailure('not_found', `there is no application ${namespace}/${name} in runtime ${params.runtime}`);
    }
    const note = (outcome: 'requested' | 'done' | 'failed', details = {}) => {
      const { action, entity } = {
        action: appProxyRoutes[route].act,
        entity: { kind: 'application', name: nameOf(params) },
      };
      const context = { caller, requestId, now: new Date(deps.store.clock.now()) };
      return deps.store.transaction((trx) => appendAudit(trx, context, { action, entity, outcome, details }));
    };
    await note('requested', { body: body ?? {} });
    // The act is in the log by now; when its outcome cannot be added, the caller must still learn of it.
    const noteOutcome = (...outcome: Parameters<typeof note>) =>
      note(...outcome).catch((error: unknown) => {
        deps.log.error({ requestId, error: errorMessage(error) }, 'the outcome of an act is missing in the audit log');
      });
    try {
      const answer = await forwardAct(deps, { runtime, route, params, body, caller, requestId, signal });
      await noteOutcome('done');
      return answer as ActReceipt; // the runtime's app-proxy is held to the same contract
    } catch (error) {
      await noteOutcome('failed', { code: error instanceof FairleadError ? error.code : 'internal' });
      throw error;
    }
  };
  return {
    syncApplication: (input) => act('syncApplication', input),
    refreshApplication: (input) => act('refreshApplication', input),
    terminateOperation: (input) => act('terminateOperation', input),
  };
}

// Acts on applications go to the runtime that holds them; the platform itself changes nothing.
import type { ActReceipt, ApplicationId, AppProxyRouteName } from '@fairlead/contracts';
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
    const answer = await forwardAct(deps, { runtime, route, params, body, caller, requestId, signal });
    return answer as ActReceipt; // the runtime's app-proxy is held to the same contract
  };
  return {
    syncApplication: (input) => act('syncApplication', input),
    refreshApplication: (input) => act('refreshApplication', input),
    terminateOperation: (input) => act('terminateOperation', input),
  };
}

import { appendAudit } from '../../audit/index.ts';
import { hostedRuntimes, recordProgress, requestHosted, setupState } from '../../setup/index.ts';
import { clusterRows, gitSourceRows, runtimeRows } from '../../store/index.ts';
import { ApiFailure } from '../failure.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

type Names = 'getSetup' | 'installHostedRuntime' | 'listHostedRuntimes' | 'reportHostedInstall';

export function setupHandlers({ store, log }: HandlerDeps): HandlersOf<Names> {
  const { db } = store;
  return {
    async getSetup({ caller }) {
      const accountId = caller.account.id;
      const [runtimes, clusters, gitSources] = await Promise.all([
        runtimeRows(db, accountId),
        clusterRows(db, { accountId }),
        gitSourceRows(db, { accountId }),
      ]);
      return setupState({ runtimes, clusters, gitSources: gitSources.length });
    },
    async installHostedRuntime({ caller, body, requestId }) {
      const { name = 'hosted' } = body;
      const now = new Date(store.clock.now());
      const entry = { action: 'runtime.install', entity: { kind: 'runtime', name } };
      const hosted = await requestHosted(store, {
        accountId: caller.account.id,
        name,
        note: (trx) => appendAudit(trx, { caller, requestId, now }, entry),
      });
      log.info({ runtime: name }, 'a hosted runtime was asked for');
      return hosted;
    },
    async listHostedRuntimes({ caller }) {
      return { items: await hostedRuntimes(db, caller.account.id) };
    },
    async reportHostedInstall({ caller, params, body }) {
      const { runtime: name } = params;
      const isKnown = await recordProgress(store, { accountId: caller.account.id, name, progress: body });
      if (!isKnown) throw new ApiFailure('not_found', `there is no hosted runtime ${name}`);
      return null;
    },
  };
}

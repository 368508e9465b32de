import { shownSetup } from '../../access/index.ts';
import { appendAudit } from '../../audit/index.ts';
import { hostedRuntimes, recordProgress, requestHosted, setupState } from '../../setup/index.ts';
import { clusterRows, gitSourceRows, runtimeRows, seesEverything } from '../../store/index.ts';
import { ApiFailure } from '../failure.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

type Names = 'getSetup' | 'installHostedRuntime' | 'listHostedRuntimes' | 'reportHostedInstall';

export function setupHandlers({ store, access, log }: HandlerDeps): HandlersOf<Names> {
  const { db } = store;
  return {
    async getSetup({ caller }) {
      const accountId = caller.account.id;
      // How far the set-up is, is a fact of the account; of what they may not see people learn no names.
      const everything = { accountId, sight: seesEverything };
      const [sight, runtimes, clusters, gitSources] = await Promise.all([
        access.sight(caller),
        runtimeRows(db, everything),
        clusterRows(db, everything),
        gitSourceRows(db, everything),
      ]);
      return shownSetup(setupState({ runtimes, clusters, gitSources: gitSources.length }), sight);
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

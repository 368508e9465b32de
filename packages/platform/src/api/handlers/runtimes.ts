import { createInstallToken, registerRuntime } from '../../auth/index.ts';
import { deleteRuntime, findRuntime, recordChanges, runtimeRow, runtimeRows } from '../../store/index.ts';
import { ApiFailure } from '../failure.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

type Names = 'listRuntimes' | 'getRuntime' | 'createRuntime' | 'registerRuntime' | 'deleteRuntime';

const unknownRuntime = (name: string) => new ApiFailure('not_found', `there is no runtime ${name}`);

export function runtimeHandlers({ store, tunnels, signingKey, log }: HandlerDeps): HandlersOf<Names> {
  const { db } = store;
  return {
    async listRuntimes({ caller }) {
      return { items: await runtimeRows(db, caller.account.id) };
    },
    async getRuntime({ caller, params }) {
      const row = await runtimeRow(db, { accountId: caller.account.id, name: params.runtime });
      if (!row) throw unknownRuntime(params.runtime);
      return row;
    },
    async createRuntime({ caller, body }) {
      const accountId = caller.account.id;
      const token = await createInstallToken(store, { accountId, ...body });
      const runtime = await runtimeRow(db, { accountId, name: body.name });
      if (!runtime) throw unknownRuntime(body.name);
      return { runtime, ...token };
    },
    async registerRuntime({ body }) {
      const runtime = await registerRuntime(store, body);
      if (!runtime) {
        throw new ApiFailure('not_signed_in', 'the install token is unknown, used up or expired; make a new one');
      }
      log.info({ runtime: runtime.name }, 'runtime registered');
      return {
        runtimeId: runtime.id,
        runtimeName: runtime.name,
        accountId: runtime.accountId,
        platformPublicKey: signingKey.publicKey,
      };
    },
    async deleteRuntime({ caller, params }) {
      const accountId = caller.account.id;
      const runtime = await findRuntime(db, { accountId, name: params.runtime });
      if (!runtime) throw unknownRuntime(params.runtime);
      await store.transaction(async (trx) => {
        await deleteRuntime(trx, runtime.id);
        const change = { accountId, kind: 'runtime', runtimeId: runtime.id, key: runtime.name } as const;
        await recordChanges(trx, [change], new Date(store.clock.now()));
      });
      tunnels.revoke(runtime.id);
      log.info({ runtime: runtime.name }, 'runtime deleted');
      return null;
    },
  };
}

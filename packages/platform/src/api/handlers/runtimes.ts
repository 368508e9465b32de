import { isUnrestricted } from '@fairlead/contracts';
import { withinSight } from '../../access/index.ts';
import { appendAudit } from '../../audit/index.ts';
import { createInstallToken, registerRuntime, revokeRuntimeKey, rotateInstallToken } from '../../auth/index.ts';
import {
  type Caller,
  clusterRows,
  deleteRuntime,
  findRuntime,
  gitSourceRows,
  recordChanges,
  runtimeRow,
  runtimeRows,
  seesEverything,
  type Transaction,
} from '../../store/index.ts';
import { ApiFailure } from '../failure.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';
import { switchAccess } from './switch-access.ts';
import { unknownRuntime } from './unknown.ts';

type Names =
  | 'listRuntimes'
  | 'getRuntime'
  | 'createRuntime'
  | 'listClusters'
  | 'listGitSources'
  | 'listQuarantine'
  | 'registerRuntime'
  | 'rotateRuntime'
  | 'setRuntimeAccess'
  | 'revokeRuntime'
  | 'deleteRuntime';

interface Asked {
  readonly caller: Caller;
  readonly requestId: string;
}

/** Of the quarantine; it holds a thousand at most. */
const maxShown = 200;

const runtimeEntity = (name: string) => ({ kind: 'runtime', name });

export function runtimeHandlers(deps: HandlerDeps): HandlersOf<Names> {
  const { store, access, tunnels, signingKey, log } = deps;
  const { db } = store;
  const noting =
    ({ caller, requestId }: Asked, action: string, name: string) =>
    (trx: Transaction) =>
      appendAudit(
        trx,
        { caller, requestId, now: new Date(store.clock.now()) },
        { action, entity: runtimeEntity(name) },
      );
  const known = async ({ account }: Caller, name: string) => {
    const runtime = await findRuntime(db, { accountId: account.id, name });
    if (!runtime) throw unknownRuntime(name);
    return runtime;
  };
  return {
    async listRuntimes({ caller }) {
      const sight = await access.sight(caller, { waits: true });
      const rows = await runtimeRows(db, { accountId: caller.account.id, sight });
      return { items: rows.map((row) => withinSight(row, sight)) };
    },
    async getRuntime({ caller, params }) {
      const sight = await access.sight(caller, { waits: true });
      const row = await runtimeRow(db, { accountId: caller.account.id, sight, name: params.runtime });
      if (!row) throw unknownRuntime(params.runtime);
      return withinSight(row, sight);
    },
    async listClusters({ caller, query }) {
      const sight = await access.sight(caller, { waits: true });
      return { items: await clusterRows(db, { accountId: caller.account.id, sight, ...query }) };
    },
    async listGitSources({ caller, query }) {
      const sight = await access.sight(caller, { waits: true });
      return { items: await gitSourceRows(db, { accountId: caller.account.id, sight, ...query }) };
    },
    async listQuarantine({ caller, params }) {
      const { id } = await known(caller, params.runtime);
      // Of what could not be read nobody knows the attributes that rules speak of.
      if (!isUnrestricted(await access.visibility(caller))) {
        throw new ApiFailure('forbidden', 'only those who may view every application may see what was set aside');
      }
      const items = await db
        .selectFrom('quarantine')
        .select(['id', 'at', 'reporter', 'key', 'reason'])
        .where('runtime_id', '=', id)
        .orderBy('id', 'desc')
        .limit(maxShown)
        .execute();
      return { items };
    },
    async createRuntime({ caller, body, requestId }) {
      const accountId = caller.account.id;
      const note = noting({ caller, requestId }, 'runtime.create', body.name);
      const token = await createInstallToken(store, { accountId, ...body, note });
      const runtime = await runtimeRow(db, { accountId, sight: seesEverything, name: body.name });
      if (!runtime) throw unknownRuntime(body.name);
      return { runtime, ...token };
    },
    async registerRuntime({ body, requestId }) {
      const runtime = await registerRuntime(store, {
        ...body,
        note: (trx, { id, accountId, name }) => {
          const caller = { user: { id, name }, account: { id: accountId, name: '' } };
          const now = new Date(store.clock.now());
          return appendAudit(
            trx,
            { caller, requestId, now },
            { action: 'runtime.register', entity: runtimeEntity(name) },
          );
        },
      });
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
    async rotateRuntime(input) {
      const runtime = await known(input.caller, input.params.runtime);
      if (!runtime.publicKey) throw new ApiFailure('conflict', `runtime ${runtime.name} has no key to replace`);
      return rotateInstallToken(store, { runtime, note: noting(input, 'runtime.rotate', runtime.name) });
    },
    async setRuntimeAccess(input) {
      const runtime = await known(input.caller, input.params.runtime);
      const note = noting(input, 'runtime.access', runtime.name);
      return switchAccess(deps, { ...input, runtime, note });
    },
    async revokeRuntime(input) {
      const runtime = await known(input.caller, input.params.runtime);
      await revokeRuntimeKey(store, { runtime, note: noting(input, 'runtime.revoke', runtime.name) });
      await tunnels.revoke(runtime.id);
      log.info({ runtime: runtime.name }, 'runtime key revoked');
      return null;
    },
    async deleteRuntime(input) {
      const runtime = await known(input.caller, input.params.runtime);
      const { accountId, id: runtimeId, name } = runtime;
      await store.transaction(async (trx) => {
        await deleteRuntime(trx, runtimeId);
        await noting(input, 'runtime.delete', name)(trx);
        const change = { accountId, kind: 'runtime', runtimeId, key: name } as const;
        await recordChanges(trx, [change], new Date(store.clock.now()));
      });
      await tunnels.revoke(runtimeId);
      log.info({ runtime: name }, 'runtime deleted');
      return null;
    },
  };
}

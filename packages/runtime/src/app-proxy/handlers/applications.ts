// What the acts on an application mean to the engine.
import { type ActReceipt, type ApplicationSyncRequest, initiatedByInfo, type SyncRequest } from '@fairlead/contracts';
import { type HandlersOf, nameOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

type Names = 'syncApplication' | 'refreshApplication' | 'terminateOperation';

const accepted = (message: string): ActReceipt => ({ accepted: true, message });

export const applicationHandlers = ({ engine }: HandlerDeps): HandlersOf<Names> => ({
  async syncApplication({ params, body, user, signal }) {
    const infos = [{ name: initiatedByInfo, value: nameOf(user) }];
    await engine.sync(params, { ...syncBody(body), infos }, { signal });
    return accepted(`sync of ${params.name} started`);
  },
  async refreshApplication({ params, body: { hard = false }, signal }) {
    await engine.refresh(params, hard ? 'hard' : 'normal', { signal });
    return accepted(`${params.name} is compared with Git`);
  },
  async terminateOperation({ params, signal }) {
    await engine.terminate(params, { signal });
    return accepted(`the operation of ${params.name} is being stopped`);
  },
});

function syncBody({ revision, prune, dryRun, force, resources, syncOptions }: SyncRequest): ApplicationSyncRequest {
  return {
    ...(revision === undefined ? {} : { revision }),
    ...(prune === undefined ? {} : { prune }),
    ...(dryRun === undefined ? {} : { dryRun }),
    ...(force ? { strategy: { hook: { force: true } } } : {}),
    ...(resources ? { resources } : {}),
    ...(syncOptions ? { syncOptions: { items: syncOptions } } : {}),
  };
}

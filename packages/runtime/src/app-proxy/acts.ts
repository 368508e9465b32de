// What each act means to the engine.
import {
  type ActReceipt,
  type ApplicationSyncRequest,
  type AppProxyRouteName,
  initiatedByInfo,
  type RefreshRequest,
  type SyncRequest,
} from '@fairlead/contracts';
import type { ApplicationName, ArgoCdClient } from '../argo-cd/index.ts';

interface ActInput {
  readonly app: ApplicationName;
  /** Checked against the schema of its route. */
  readonly body: unknown;
  /** The person who acts, as people know them. */
  readonly by: string;
  readonly signal: AbortSignal;
}

type Act = (engine: ArgoCdClient, input: ActInput) => Promise<ActReceipt>;

const accepted = (message: string): ActReceipt => ({ accepted: true, message });

export const acts: Readonly<Record<AppProxyRouteName, Act>> = {
  async syncApplication(engine, { app, body, by, signal }) {
    const infos = [{ name: initiatedByInfo, value: by }];
    await engine.sync(app, { ...syncBody(body as SyncRequest), infos }, { signal });
    return accepted(`sync of ${app.name} started`);
  },
  async refreshApplication(engine, { app, body, signal }) {
    const { hard = false } = body as RefreshRequest;
    await engine.refresh(app, hard ? 'hard' : 'normal', { signal });
    return accepted(`${app.name} is compared with Git`);
  },
  async terminateOperation(engine, { app, signal }) {
    await engine.terminate(app, { signal });
    return accepted(`the operation of ${app.name} is being stopped`);
  },
};

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

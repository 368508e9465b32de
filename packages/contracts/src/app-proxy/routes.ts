// The runtime's own API, reached through the tunnel or an ingress: request router → `/app-proxy/…`.
// Each act names the verb its assertion must carry; app-proxy checks it by itself.
import { Type } from 'typebox';
import { ActReceipt, RefreshRequest, SyncRequest } from '../api/entities.ts';
import { type Route, route } from '../api/route.ts';

export const appProxyPrefix = '/app-proxy';
const params = Type.Object({ namespace: Type.String(), name: Type.String() });
const application = '/app-proxy/api/v1/applications/{namespace}/{name}';

interface ActRoute extends Route {
  readonly act: string;
}
const actRoute = <const R extends ActRoute>(declared: R): R => declared;

export const appProxyRoutes = {
  syncApplication: actRoute({
    ...route({
      method: 'POST',
      path: `${application}/sync`,
      summary: 'Starts a synchronisation through the engine.',
      auth: 'user',
      status: 202,
      params,
      body: SyncRequest,
      response: ActReceipt,
    }),
    act: 'application.sync',
  }),
  refreshApplication: actRoute({
    ...route({
      method: 'POST',
      path: `${application}/refresh`,
      summary: 'Asks the engine to compare now.',
      auth: 'user',
      status: 202,
      params,
      body: RefreshRequest,
      response: ActReceipt,
    }),
    act: 'application.refresh',
  }),
  terminateOperation: actRoute({
    ...route({
      method: 'POST',
      path: `${application}/terminate`,
      summary: 'Stops the running operation.',
      auth: 'user',
      status: 202,
      params,
      response: ActReceipt,
    }),
    act: 'application.terminate',
  }),
} as const;

export type AppProxyRouteName = keyof typeof appProxyRoutes;

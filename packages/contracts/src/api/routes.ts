// Every route of the platform API: its own, by noun, and those of the runtimes' app-proxy, which it relays. Adding one
// makes it part of the client and of OpenAPI; the server refuses to start when one of them has no handler.
import { relayedRoutes } from '../app-proxy/relayed.ts';
import { accessRoutes } from './routes/access.ts';
import { applicationRoutes } from './routes/applications.ts';
import { auditRoutes } from './routes/audit.ts';
import { eventRoutes } from './routes/events.ts';
import { notificationRoutes } from './routes/notifications.ts';
import { pastRoutes } from './routes/past.ts';
import { peopleRoutes } from './routes/people.ts';
import { runtimeRoutes } from './routes/runtimes.ts';
import { setupRoutes } from './routes/setup.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { versionRoutes } from './routes/versions.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { workloadRoutes } from './routes/workloads.ts';

export const routes = {
  ...signInRoutes,
  ...applicationRoutes,
  ...pastRoutes,
  ...workloadRoutes,
  ...runtimeRoutes,
  ...setupRoutes,
  ...peopleRoutes,
  ...auditRoutes,
  ...accessRoutes,
  ...notificationRoutes,
  ...versionRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...relayedRoutes,
} as const;

export type RouteName = keyof typeof routes;

/** Not in the table, since their bodies are streams: SSE at `livePath`, WebSocket upgrade at `tunnelPath`. */
export const livePath = '/api/v1/live';
export const tunnelPath = '/api/v1/tunnel';

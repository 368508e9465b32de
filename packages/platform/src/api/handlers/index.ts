import type { Handlers } from '../handler.ts';
import { accessHandlers } from './access.ts';
import { applicationHandlers } from './applications.ts';
import { auditHandlers } from './audit.ts';
import type { HandlerDeps } from './deps.ts';
import { eventHandlers } from './events.ts';
import { notificationHandlers } from './notifications.ts';
import { pastHandlers } from './past.ts';
import { peopleHandlers } from './people.ts';
import { relayHandlers } from './relay.ts';
import { runtimeHandlers } from './runtimes.ts';
import { setupHandlers } from './setup.ts';
import { signInHandlers } from './sign-in.ts';
import { versionHandlers } from './versions.ts';
import { webhookHandlers } from './webhooks.ts';
import { workloadHandlers } from './workloads.ts';

export type { HandlerDeps } from './deps.ts';

export const createHandlers = (deps: HandlerDeps): Handlers => ({
  ...signInHandlers(deps),
  ...applicationHandlers(deps),
  ...pastHandlers(deps),
  ...relayHandlers(deps),
  ...runtimeHandlers(deps),
  ...setupHandlers(deps),
  ...peopleHandlers(deps),
  ...accessHandlers(deps),
  ...notificationHandlers(deps),
  ...versionHandlers(deps),
  ...webhookHandlers(deps),
  ...workloadHandlers(deps),
  ...auditHandlers(deps),
  ...eventHandlers(deps),
});

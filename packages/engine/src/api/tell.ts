import type { Application } from '@fairlead/contracts';
import type { Context } from 'hono';
import type { EventReason } from '../events/index.ts';
import type { ApiDeps } from './api-deps.ts';

export const subjectOf = (context: Context): string => context.get('caller').subject;

interface Act {
  readonly reason: EventReason;
  readonly user: string;
  readonly action: string;
}

/** As a Kubernetes Event of the Application, in the words of Argo CD's server. */
export function tell({ events }: ApiDeps, application: Application, { reason, user, action }: Act): void {
  const by = user || 'Unknown user';
  events.record('argocd-server', application, [{ type: 'Normal', reason, message: `${by} ${action}`, user: by }]);
}

import type { Clock, Logger } from '@fairlead/base';
import type { Application } from '@fairlead/contracts';
import type { KubeClient } from '@fairlead/kube';
import type { SourceLoader } from '@fairlead/render';
import type { AccessRules, Identities } from '../access/index.ts';
import type { ActionBook } from '../actions/index.ts';
import type { ApplicationController, ApplicationStore } from '../application/index.ts';
import type { ApplicationSetController } from '../applicationset/index.ts';
import type { Cluster, Clusters } from '../clusters/index.ts';
import type { EventRecorder } from '../events/index.ts';
import type { HealthOf, HealthReady } from '../health/index.ts';
import type { Leadership } from '../leadership/index.ts';
import { ArgoError } from './argo-error.ts';

export interface ApiDeps {
  readonly client: KubeClient;
  readonly store: ApplicationStore;
  readonly controller: ApplicationController;
  readonly clusters: Clusters;
  readonly applicationSets: ApplicationSetController;
  readonly sources: SourceLoader;
  readonly healthOf: HealthOf;
  readonly healthReady: HealthReady;
  readonly actions: ActionBook;
  readonly events: EventRecorder;
  readonly leadership: Pick<Leadership, 'isActing' | 'holder'>;
  readonly namespace: string;
  readonly access: AccessRules;
  readonly identities: Identities;
  readonly webhookSecret?: string | undefined;
  /** Prometheus text. */
  readonly metrics: () => Promise<string>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
}

/** The cluster an application deploys to. */
export function clusterOf({ clusters }: ApiDeps, { spec }: Application): Cluster {
  const choice = clusters.find(spec.destination);
  if (!choice.ok) throw new ArgoError('FailedPrecondition', choice.problem);
  return choice.cluster;
}

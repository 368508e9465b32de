// Where scenarios are played: a Kubernetes, a git server and an engine, whichever they are. Nothing here knows more of
// the engine than Argo CD's objects and REST API.
import type { KubeClient } from '@fairlead/kube';
import type { Repository } from '../world.ts';

export interface Stage {
  readonly client: KubeClient;
  /** Where Applications, AppProjects and ApplicationSets live. */
  readonly engineNamespace: string;
  /** Pods run, so that workloads become healthy. */
  readonly runsPods: boolean;
  readonly isOurEngine: boolean;
  /** How long a state may take to come: a real garbage collector pauses for half a minute when kinds come or go. */
  readonly patienceMs: number;
  repository(name: string): Promise<Repository>;
  api(path: string, init?: RequestInit): Promise<{ status: number; body: unknown }>;
}

import type { HealthCode, WorkloadRow } from '@fairlead/contracts';

const healths = new Map<string, HealthCode>(
  Object.entries({
    Healthy: 'Healthy',
    Successful: 'Healthy',
    Succeeded: 'Healthy',
    Progressing: 'Progressing',
    Running: 'Progressing',
    Pending: 'Progressing',
    Paused: 'Suspended',
    Suspended: 'Suspended',
    Inconclusive: 'Suspended',
    Degraded: 'Degraded',
    Failed: 'Degraded',
    Error: 'Degraded',
  } as const),
);

/** The phases of Rollouts, AnalysisRuns and Workflows as the one health that the UI shows everywhere. */
export const healthOfPhase = (phase: string): HealthCode => healths.get(phase) ?? 'Unknown';

/** What runs nothing and wants nothing: the ReplicaSets that Deployments and Rollouts keep to go back to. */
export const isKept = ({ kind, replicas }: Pick<WorkloadRow, 'kind' | 'replicas'>): boolean =>
  kind === 'ReplicaSet' && replicas?.desired === 0 && replicas.ready === 0;

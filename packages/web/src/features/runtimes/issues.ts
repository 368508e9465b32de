import type { ClusterRow, GitSourceRow, RuntimeRow } from '@fairlead/contracts';

interface Seen {
  readonly runtime: RuntimeRow;
  readonly clusters: readonly ClusterRow[];
  readonly gitSources: readonly GitSourceRow[];
}

export interface Issue {
  readonly kind: 'error' | 'warning';
  readonly title: string;
  readonly detail: string;
  /** It is waited for; administrators are shown what they can do instead. */
  readonly isAwaited?: boolean;
}

/** What is not as it should be in a runtime, each with what to do. */
export function issuesOf({ runtime, clusters, gitSources }: Seen): readonly Issue[] {
  const issues: Issue[] = [];
  if (runtime.status === 'offline') {
    issues.push({
      ...{ kind: 'error', title: `The tunnel of ${runtime.name} is down.` },
      detail: 'It dials out by itself and tries again all the time: look whether it runs and reaches this platform.',
    });
  }
  if (runtime.status === 'pending') {
    const detail = runtime.install?.message ?? 'It shows here as soon as it is installed and registers itself.';
    issues.push({ kind: 'warning', title: `${runtime.name} did not register yet.`, detail, isAwaited: true });
  }
  for (const { name, health, message } of runtime.report?.components ?? []) {
    if (health === 'Healthy') continue;
    const kind = health === 'Degraded' ? 'error' : 'warning';
    issues.push({ kind, title: `Component ${name} is ${health.toLowerCase()}.`, detail: message ?? '' });
  }
  for (const { name, sync, health, message } of gitSources) {
    if (sync === 'Synced' && health !== 'Degraded') continue;
    const detail = message ?? 'Open it as an application to see why.';
    issues.push({ kind: 'warning', title: `Git Source ${name} is not in sync.`, detail });
  }
  for (const { name, status, message } of clusters) {
    if (status !== 'Failed') continue;
    issues.push({ kind: 'error', title: `Cluster ${name} does not answer.`, detail: message ?? '' });
  }
  return issues;
}

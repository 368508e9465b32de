// How far the set-up is, from what runtimes reported. Pure. A hosted runtime's own cluster is the platform's: it counts as
// a place to deploy to once something is deployed there (on a laptop), a hybrid runtime's own cluster counts at once.
import { type ClusterRow, inClusterServer, type RuntimeRow, type SetupState } from '@fairlead/contracts';

export interface SetupFacts {
  readonly runtimes: readonly RuntimeRow[];
  readonly clusters: readonly ClusterRow[];
  readonly gitSources: number;
}

export function setupState({ runtimes, clusters, gitSources }: SetupFacts): SetupState {
  const runtime = runtimeStep(runtimes);
  const configured = runtimes.find(({ report }) => report?.sharedConfigRepo !== undefined);
  const targets = clusters.filter((cluster) => isTarget(cluster, runtimes));
  const isReachable = targets.some(({ status }) => status === 'Successful');
  const git: SetupState['git'] = {
    status: configured ? 'done' : 'todo',
    ...(configured ? { runtime: configured.name, sharedConfigRepo: configured.report?.sharedConfigRepo ?? '' } : {}),
    gitSources,
  };
  const cluster: SetupState['cluster'] = {
    status: isReachable ? 'done' : targets.length === 0 ? 'todo' : targets.some(isAsked) ? 'failed' : 'doing',
    clusters: targets.map(({ runtime: of, name, server, status }) => ({ runtime: of, name, server, status })),
  };
  const complete = [runtime, git, cluster].every(({ status }) => status === 'done');
  return { complete, runtime, git, cluster };
}

function runtimeStep(runtimes: readonly RuntimeRow[]): SetupState['runtime'] {
  const installed = runtimes.find(
    ({ status, install }) => status === 'connected' || (status === 'offline' && !install),
  );
  if (installed) return { status: 'done', name: installed.name };
  const hosted = runtimes.find(({ install }) => install !== undefined);
  if (!hosted?.install) return { status: 'todo' };
  const { name, install } = hosted;
  return { status: install.state === 'failed' ? 'failed' : 'doing', name, install };
}

const isAsked = ({ status }: ClusterRow) => status === 'Failed';

function isTarget({ server, runtime, name }: ClusterRow, runtimes: readonly RuntimeRow[]): boolean {
  const isOwn = server === inClusterServer || name === 'in-cluster';
  const of = runtimes.find((each) => each.name === runtime);
  return !isOwn || of?.kind === 'hybrid' || (of?.applications ?? 0) > 0;
}

// From a context of a kubeconfig to a cluster that a runtime deploys to: an account in the cluster, its token sealed to
// the runtime, and the runtime's word that it can deploy there.
import { type Clock, FairleadError, sleep } from '@fairlead/base';
import type { ApiClient, ClusterRow } from '@fairlead/contracts';
import type { ChosenContext } from './choose-context.ts';
import { sealCredentials } from './give-credentials.ts';
import { grantAccess } from './grant-access.ts';

interface AddOptions {
  readonly runtime: string;
  readonly name: string;
  readonly context: ChosenContext;
  readonly namespace: string;
  readonly leastRights: boolean;
  readonly labels: Record<string, string> | undefined;
  readonly annotations: Record<string, string> | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

const connectedWithinMs = 45_000;

export async function addCluster(api: ApiClient, options: AddOptions): Promise<ClusterRow> {
  const { runtime, name, context, namespace, leastRights, labels, annotations, clock, signal, say } = options;
  const { connection } = context;
  const { server } = connection;
  const access = { runtime, namespace, leastRights };
  const granted = await grantAccess({ ...access, connection, context: context.name, renew: false, clock, signal });
  say(`${server}: account fairlead-${runtime} in ${namespace}${leastRights ? ', with least rights' : ''}`);
  const sealed = await sealCredentials(api, { runtime, server, credentials: granted.credentials });
  const body = { name, server, sealed, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) };
  const { commit } = await api.call('addCluster', { params: { runtime }, body });
  if (commit) say(`commit ${commit.sha.slice(0, 7)} in ${commit.repoURL}: ${commit.path}`);
  await granted.dropOlder();
  return untilAnswering(api, { runtime, name, clock, signal });
}

interface Awaited {
  readonly runtime: string;
  readonly name: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

async function untilAnswering(api: ApiClient, { runtime, name, clock, signal }: Awaited): Promise<ClusterRow> {
  const deadline = clock.monotonic() + connectedWithinMs;
  for (;;) {
    const { items } = await api.call('listClusters', { query: { runtime } }, { signal });
    const row = items.find((cluster) => cluster.name === name);
    if (row && row.status !== 'Unknown') return row;
    if (clock.monotonic() > deadline) {
      throw new FairleadError(
        'timeout',
        `cluster ${name} is registered, but the runtime did not say within ${connectedWithinMs / 1000} s whether it answers; see fairlead cluster list`,
      );
    }
    await sleep(250, { clock, signal });
  }
}

// From a context of a kubeconfig to a cluster that a runtime deploys to: an account in the cluster, its token sealed to
// the runtime, and the runtime's word that it can deploy there.
import { type Clock, FairleadError, sleep } from '@fairlead/base';
import { type ApiClient, adminsOnly, type ClusterRow } from '@fairlead/contracts';
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
const namePattern = /^[a-z0-9]([-a-z0-9]{0,51}[a-z0-9])?$/;

export async function addCluster(api: ApiClient, options: AddOptions): Promise<ClusterRow> {
  const { runtime, name, context, namespace, leastRights, labels, annotations, clock, signal, say } = options;
  const { connection } = context;
  const { server } = connection;
  const access = { runtime, namespace, leastRights };
  await assertFree(api, options);
  await assertPossible(api, options); // before anything is made in the cluster
  const granted = await grantAccess({ ...access, connection, context: context.name, renew: false, clock, signal });
  say(`${server}: account fairlead-${runtime} in ${namespace}${leastRights ? ', with least rights' : ''}`);
  const sealed = await sealCredentials(api, { runtime, server, credentials: granted.credentials });
  const body = { name, server, sealed, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) };
  const { commit } = await api.call('addCluster', { params: { runtime }, body });
  if (commit) say(`commit ${commit.sha.slice(0, 7)} in ${commit.repoURL}: ${commit.path}`);
  await granted.dropOlder();
  return untilAnswering(api, { runtime, name, clock, signal });
}

/** Who may not, and a runtime that is away, would end in a refusal too. */
async function assertPossible(api: ApiClient, { runtime, signal }: AddOptions): Promise<void> {
  const { user } = await api.call('me', {}, { signal });
  if (user.role !== 'admin') throw new FairleadError('forbidden', `cluster add: ${adminsOnly}`);
  await api.call('getSealingKey', { params: { runtime } }, { signal });
}

/** The same name and server again is a repair; anything else would end in a refusal after rights were given. */
async function assertFree(api: ApiClient, { runtime, name, context, signal }: AddOptions): Promise<void> {
  const server = context.connection.server.replace(/\/+$/, '');
  if (!namePattern.test(name)) {
    throw new FairleadError(
      'bad_usage',
      `--name ${JSON.stringify(name)}: is not a valid name; use lower-case letters, digits and hyphens, at most 53, beginning and ending with a letter or digit`,
    );
  }
  const { items } = await api.call('listClusters', { query: { runtime } }, { signal });
  const same = items.find((row) => row.server === server && row.name !== name);
  if (same) {
    throw new FairleadError(
      'conflict',
      `--context ${context.name}: ${server} is connected to ${runtime} already, as cluster ${same.name}; fairlead cluster rotate ${same.name} gives it a new token, fairlead cluster label ${same.name} other labels`,
    );
  }
  const namesake = items.find((row) => row.name === name && row.server !== server);
  if (namesake) {
    throw new FairleadError(
      'conflict',
      `--name ${name}: ${runtime} has a cluster of that name at ${namesake.server}; choose another name, or remove that one first`,
    );
  }
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

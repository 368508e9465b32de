import {
  type AssertionClaims,
  ClusterCredentials,
  type CommitReceipt,
  checker,
  clusterCredentialsPurpose,
  type Sealed,
} from '@fairlead/contracts';
import { clusterApplication, clusterFile, writeManifest } from '../../configuration/index.ts';
import type { ManagedCluster } from '../../managed-clusters/index.ts';
import { ProxyError } from '../errors.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';
import { ownName } from './own-name.ts';

type Names = 'addCluster' | 'updateCluster' | 'rotateCluster' | 'removeCluster';

const checkCredentials = checker(ClusterCredentials);

interface Acting {
  readonly user: AssertionClaims;
  readonly signal: AbortSignal;
}

export function clusterHandlers(deps: HandlerDeps): HandlersOf<Names> {
  const { clusters, sharedConfig, sealing } = deps;
  const open = async (sealed: Sealed, server: string, userId: string): Promise<ClusterCredentials> => {
    const text = await sealing.open(sealed, clusterCredentialsPurpose({ userId, server }));
    const checked = checkCredentials(parse(text));
    if (checked.ok) return checked.value;
    const [problem] = checked.problems;
    throw new ProxyError('bad_request', `body field sealed: credentials.${problem?.field} ${problem?.reason}`);
  };
  /** Which clusters a runtime has stands in Git too, where it has a repository for that. */
  const record = async (
    name: string,
    isThere: boolean,
    { user, signal }: Acting,
  ): Promise<CommitReceipt | undefined> => {
    const runtime = ownName(deps);
    const place = await sharedConfig.find(runtime, { signal });
    if (!place) return undefined;
    const text = isThere ? writeManifest(clusterApplication(place, name)) : null;
    const message = isThere
      ? `Add cluster ${name} to runtime ${runtime}`
      : `Remove cluster ${name} from runtime ${runtime}`;
    const files = { [clusterFile(runtime, name)]: text };
    const commit = await sharedConfig.commit(user, place, { files, message }, { signal });
    return commit.changed ? commit : undefined;
  };
  const receipt = ({ name, server }: ManagedCluster, commit?: CommitReceipt) => ({
    name,
    server,
    ...(commit ? { commit } : {}),
  });
  return {
    async addCluster({ body, user, signal }) {
      const { name, server, labels, annotations, sealed } = body;
      const credentials = await open(sealed, server, user.sub);
      const before = await clusters.findByServer(server, { signal });
      const cluster = await clusters.add({ name, server, labels, annotations, credentials }, { signal });
      try {
        return receipt(cluster, await record(name, true, { user, signal }));
      } catch (error) {
        // Half an addition would be found by nobody: what Git does not have is taken back.
        if (!before) await clusters.remove(cluster, { signal });
        throw error;
      }
    },
    async updateCluster({ params, body, signal }) {
      const cluster = await clusters.find(params.cluster, { signal });
      await clusters.update(cluster, body, { signal });
      return receipt(cluster);
    },
    async rotateCluster({ params, body, user, signal }) {
      const cluster = await clusters.find(params.cluster, { signal });
      const credentials = await open(body.sealed, cluster.server, user.sub);
      await clusters.setCredentials(cluster, credentials, { signal });
      return receipt(cluster);
    },
    async removeCluster({ params, user, signal }) {
      const cluster = await clusters.find(params.cluster, { signal });
      const commit = await record(cluster.name, false, { user, signal });
      await clusters.remove(cluster, { signal });
      return receipt(cluster, commit);
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // refused by the check that follows
  }
}

import {
  type AssertionClaims,
  asApplication,
  ClusterCredentials,
  type CommitReceipt,
  checker,
  clusterCredentialsPurpose,
  type Sealed,
} from '@fairlead/contracts';
import {
  type ClusterMarks,
  clusterApplication,
  clusterFile,
  readManifest,
  withClusterMarks,
  writeManifest,
} from '../../configuration/index.ts';
import type { ManagedCluster } from '../../managed-clusters/index.ts';
import { ProxyError } from '../errors.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';
import { ownName } from './own-name.ts';

type Names = 'addCluster' | 'getCluster' | 'updateCluster' | 'rotateCluster' | 'removeCluster';

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
  const placeOf = (signal: AbortSignal) => sharedConfig.find(ownName(deps), { signal });
  const fileOf = async (name: string, { user, signal }: Acting) => {
    const place = await placeOf(signal);
    const file = clusterFile(ownName(deps), name);
    const found = place && (await sharedConfig.readFile(user, place, file, { signal }));
    return place && found && { place, file, ...found };
  };
  /** Which clusters a runtime has stands in Git too, where it has a repository for that. */
  const record = async (
    name: string,
    marks: ClusterMarks | undefined,
    { user, signal }: Acting,
  ): Promise<CommitReceipt | undefined> => {
    const place = await placeOf(signal);
    if (!place) return undefined;
    const { runtime } = place;
    const text = marks ? writeManifest(withClusterMarks(clusterApplication(place, name), marks)) : null;
    const message = marks
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
        return receipt(
          cluster,
          await record(name, { labels: labels ?? {}, annotations: annotations ?? {} }, { user, signal }),
        );
      } catch (error) {
        // Half an addition would be found by nobody: what Git does not have is taken back.
        if (!before) await clusters.remove(cluster, { signal });
        throw error;
      }
    },
    async getCluster({ params, user, signal }) {
      const cluster = await clusters.find(params.cluster, { signal });
      const { name, server } = cluster;
      const [marks, found] = await Promise.all([clusters.marks(cluster, { signal }), fileOf(name, { user, signal })]);
      const inGit = found && { file: found.file, text: found.text, baseSha: found.commit };
      return { name, server, labels: { ...marks.labels }, annotations: { ...marks.annotations }, ...inGit };
    },
    async updateCluster({ params, body, user, signal }) {
      const cluster = await clusters.find(params.cluster, { signal });
      const { name } = cluster;
      const found = await fileOf(name, { user, signal });
      if (!found) {
        await clusters.update(cluster, body, { signal });
        return receipt(cluster);
      }
      // Only the commit: what it says reaches the cluster as any other commit does.
      const { place, file, text, commit: readAt } = found;
      const { baseSha: base = readAt, message, ...marks } = body;
      const before = asApplication(readManifest(text, file));
      const change = {
        files: { [file]: writeManifest(withClusterMarks(before, marks)) },
        message: message || `Label cluster ${name} of runtime ${place.runtime}`,
        base,
      };
      return receipt(cluster, await sharedConfig.commit(user, place, change, { signal }));
    },
    async rotateCluster({ params, body, user, signal }) {
      const cluster = await clusters.find(params.cluster, { signal });
      const credentials = await open(body.sealed, cluster.server, user.sub);
      await clusters.setCredentials(cluster, credentials, { signal });
      return receipt(cluster);
    },
    async removeCluster({ params, user, signal }) {
      const cluster = await clusters.find(params.cluster, { signal });
      const commit = await record(cluster.name, undefined, { user, signal });
      if (commit) await clusters.unlink(cluster, new Date(deps.clock.now()), { signal });
      else await clusters.remove(cluster, { signal });
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

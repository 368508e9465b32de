// Clusters that the runtime deploys to, as Argo CD keeps them: Secrets in the engine's namespace. A cluster is written
// only after it answered with the credentials given; removing one leaves what runs there alone.
import { errorMessage, fnv1a, withDeadline } from '@fairlead/base';
import { type ClusterCredentials, inClusterServer } from '@fairlead/contracts';
import { isAlreadyExists, isUnauthorized, KubeClient, type KubeObject } from '@fairlead/kube';
import { assertName, inClusterName } from '../configuration/index.ts';
import { secretRef } from '../identity/index.ts';
import { ConfigurationError } from '../shared-config/index.ts';
import {
  inGitAnnotation,
  type ManagedCluster,
  type Marks,
  managedClusterOf,
  marksOf,
  marksPatch,
  secretTypes,
  typeLabel,
  unlinkedAtAnnotation,
} from './cluster-secret.ts';

interface ManagedClustersOptions {
  readonly cluster: () => KubeClient;
  /** The engine's. */
  readonly namespace: string;
}

interface Call {
  readonly signal: AbortSignal;
}

export interface NewCluster {
  readonly name: string;
  readonly server: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly credentials: ClusterCredentials;
}

const answersWithinMs = 8_000;

export class ManagedClusters {
  readonly #options: ManagedClustersOptions;

  constructor(options: ManagedClustersOptions) {
    this.#options = options;
  }

  async find(name: string, call: Call): Promise<ManagedCluster> {
    const found = (await this.#list(call)).find((cluster) => cluster.name === name);
    if (found) return found;
    if (name === inClusterName) {
      throw new ConfigurationError(
        'invalid',
        `${inClusterName} is the cluster that the runtime itself lives in; it stays`,
      );
    }
    throw new ConfigurationError('not_found', `the runtime has no cluster ${name}`);
  }

  async findByServer(server: string, call: Call): Promise<ManagedCluster | undefined> {
    return (await this.#list(call)).find((cluster) => cluster.server === server.replace(/\/+$/, ''));
  }

  /** Again for the same name and server: new labels and credentials. */
  async add(
    { name, server: given, labels, annotations, credentials }: NewCluster,
    call: Call,
  ): Promise<ManagedCluster> {
    const server = given.replace(/\/+$/, '');
    assertName('name', name);
    if (name === inClusterName || server === inClusterServer) {
      throw new ConfigurationError(
        'conflict',
        `name: ${inClusterName} is the runtime's own cluster; choose another name`,
      );
    }
    const known = await this.#list(call);
    const namesake = known.find((cluster) => cluster.name === name && cluster.server !== server);
    if (namesake) {
      throw new ConfigurationError(
        'conflict',
        `name: cluster ${name} is there already, at ${namesake.server}; choose another name, or remove that one first`,
        { details: { field: 'name' } },
      );
    }
    const other = known.find((cluster) => cluster.server === server && cluster.name !== name);
    if (other) {
      throw new ConfigurationError('conflict', `server: ${server} is there already, as cluster ${other.name}`, {
        details: { field: 'server' },
      });
    }
    await assertAnswers(server, credentials, call);
    const secretName = known.find((cluster) => cluster.server === server)?.secretName ?? secretNameOf(server);
    const secret = clusterSecret({ name, server, labels, annotations, credentials }, this.#place(secretName));
    const isKnown = known.some((cluster) => cluster.secretName === secretName);
    if (isKnown) await this.#patch(secretName, secret, call);
    else await this.#create(secret, call);
    return { name, server, secretName };
  }

  /** Each map that is given replaces the one that is there. */
  async update(
    cluster: ManagedCluster,
    { labels, annotations }: Pick<NewCluster, 'labels' | 'annotations'>,
    call: Call,
  ): Promise<void> {
    const secret = await this.#secret(cluster, call);
    await this.#patch(cluster.secretName, { metadata: marksPatch(secret, { labels, annotations }) }, call);
  }

  async setCredentials(cluster: ManagedCluster, credentials: ClusterCredentials, call: Call): Promise<void> {
    await assertAnswers(cluster.server, credentials, call);
    await this.#patch(cluster.secretName, { stringData: { config: JSON.stringify(credentials) } }, call);
  }

  async marks(cluster: ManagedCluster, call: Call): Promise<Required<Marks>> {
    return marksOf(await this.#secret(cluster, call));
  }

  /** The credentials are kept for a while where no engine reads them, for who takes the commit back. */
  async unlink({ secretName }: ManagedCluster, now: Date, call: Call): Promise<void> {
    const labels = { [typeLabel]: secretTypes.leaving };
    const annotations = { [unlinkedAtAnnotation]: now.toISOString(), [inGitAnnotation]: 'true' };
    await this.#patch(secretName, { metadata: { labels, annotations } }, call);
  }

  async remove({ secretName }: ManagedCluster, call: Call): Promise<void> {
    await this.#options.cluster().delete(secretRef(this.#options.namespace, secretName), call);
  }

  async #list({ signal }: Call): Promise<ManagedCluster[]> {
    const { namespace, cluster } = this.#options;
    const query = { apiVersion: 'v1', kind: 'Secret', namespace, labelSelector: `${typeLabel}=cluster` };
    const { items } = await cluster().list(query, { signal });
    return items.map(managedClusterOf);
  }

  #secret({ secretName }: ManagedCluster, call: Call): Promise<KubeObject> {
    return this.#options.cluster().get(secretRef(this.#options.namespace, secretName), call);
  }

  /** One of that server that was unlinked before makes room. */
  async #create(secret: KubeObject, call: Call): Promise<void> {
    const client = this.#options.cluster();
    try {
      await client.create(secret, call);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      await client.delete(secretRef(this.#options.namespace, secret.metadata.name), call);
      await client.create(secret, call);
    }
  }

  async #patch(secretName: string, change: object, { signal }: Call): Promise<void> {
    const ref = secretRef(this.#options.namespace, secretName);
    await this.#options.cluster().patch(ref, change, { type: 'merge', signal });
  }

  #place = (secretName: string) => ({ namespace: this.#options.namespace, secretName });
}

function clusterSecret(
  { name, server, labels, annotations, credentials }: NewCluster,
  { namespace, secretName }: { namespace: string; secretName: string },
): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: secretName,
      namespace,
      labels: { ...labels, [typeLabel]: 'cluster' },
      annotations: { ...annotations, 'managed-by': 'argocd.argoproj.io' },
    },
    type: 'Opaque',
    stringData: { name, server, config: JSON.stringify(credentials) },
  };
}

/** The name Argo CD gives the Secret of a server. */
function secretNameOf(server: string): string {
  const host = /^https?:\/\/([^/:]+)/.exec(server)?.[1]?.toLowerCase() ?? 'cluster';
  return `cluster-${host}-${fnv1a(server)}`;
}

async function assertAnswers(server: string, credentials: ClusterCredentials, { signal }: Call): Promise<void> {
  const { bearerToken: token, tlsClientConfig } = credentials;
  const { caData, insecure = false, serverName } = tlsClientConfig;
  const client = new KubeClient({
    server,
    token,
    ca: caData && Buffer.from(caData, 'base64').toString('utf8'),
    insecureSkipTlsVerify: insecure,
    tlsServerName: serverName,
  });
  const within = withDeadline(signal, answersWithinMs);
  try {
    // Something that a token is needed for: versions are given to everybody.
    await client.raw({ method: 'GET', path: '/api', signal: within });
  } catch (error) {
    if (isUnauthorized(error)) {
      throw new ConfigurationError(
        'invalid',
        `credentials: ${server} refuses them; the token may have ended, make a new one`,
        {
          details: { field: 'credentials' },
        },
      );
    }
    const reason = within.aborted ? `no answer within ${answersWithinMs / 1000} s` : errorMessage(error);
    throw new ConfigurationError(
      'invalid',
      `server: the runtime cannot reach ${server}: ${reason}; give an address that the runtime can reach`,
      { cause: error, details: { field: 'server' } },
    );
  } finally {
    await client.close();
  }
}

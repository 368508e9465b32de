// Every cluster the engine may deploy to: the one it lives in, and those of cluster Secrets. Promises: a Secret that
// changes makes a new connection, one that goes ends it; a cluster that fails harms no other; caches are filled only for
// clusters that somebody deploys to.
import { type Clock, errorMessage, type Logger } from '@fairlead/base';
import { type ApplicationDestination, inClusterServer } from '@fairlead/contracts';
import { equalJson, Informer, KubeClient, stringAt } from '@fairlead/kube';
import type { LiveChange } from '../live/index.ts';
import { type CacheSettings, Cluster } from './cluster.ts';
import {
  type ClusterEntry,
  inClusterEntry,
  inClusterName,
  parseClusterSecret,
  secretTypeLabel,
  trimServer,
} from './cluster-secret.ts';

interface ClustersOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: () => CacheSettings;
  /** Cluster Secrets may name programs that give out credentials. */
  readonly allowExec: boolean;
}

export type ClusterChoice =
  | { readonly ok: true; readonly cluster: Cluster }
  | { readonly ok: false; readonly field: string; readonly problem: string };

export class Clusters {
  readonly #options: ClustersOptions;
  readonly #informer: Informer;
  readonly #clusters = new Map<string, Cluster>();
  readonly #broken = new Map<string, ClusterEntry>();
  readonly #changed = new Set<(server: string) => void>();
  readonly #live = new Set<(change: LiveChange) => void>();
  readonly #leaving = new Set<Promise<void>>();

  constructor(options: ClustersOptions) {
    this.#options = options;
    const { client, namespace, log } = options;
    const query = { apiVersion: 'v1', kind: 'Secret', namespace, labelSelector: `${secretTypeLabel}=cluster` };
    this.#informer = new Informer({ client, query, log });
  }

  /** Resolves when the Secrets are read and the own cluster's cache is filled. */
  async start({ signal }: { signal: AbortSignal }): Promise<{ running: Promise<void> }> {
    this.#informer.onChange(() => this.#follow());
    const watching = this.#informer.run({ signal });
    await this.#informer.synced({ signal });
    this.#follow();
    await this.#clusters.get(inClusterServer)?.use();
    const running = watching.then(async () => {
      await Promise.all([...[...this.#clusters.values()].map((cluster) => cluster.stop()), ...this.#leaving]);
    });
    return { running };
  }

  get own(): Cluster {
    const own = this.#clusters.get(inClusterServer);
    if (!own) throw new Error('clusters were not started');
    return own;
  }

  list(): Cluster[] {
    return [...this.#clusters.values()];
  }

  /** Clusters whose Secret gives no connection. */
  broken(): ClusterEntry[] {
    return [...this.#broken.values()];
  }

  /** Also of an Application that nobody has checked. */
  find(destination: Pick<ApplicationDestination, 'server' | 'name'> | undefined): ClusterChoice {
    const server = stringAt(destination, 'server');
    const name = stringAt(destination, 'name') ?? '';
    if (server) return this.#byServer(trimServer(server));
    const named = [...this.list().map(({ entry }) => entry), ...this.#broken.values()].filter(
      (entry) => entry.name === name,
    );
    if (named.length > 1) {
      const servers = named.map((entry) => entry.server).join(', ');
      return {
        ok: false,
        field: 'name',
        problem: `there are ${named.length} clusters with the name ${name}: ${servers}`,
      };
    }
    if (named[0]) return this.#byServer(named[0].server);
    const own = name === inClusterName ? this.#clusters.get(inClusterServer) : undefined;
    if (own) return { ok: true, cluster: own };
    return { ok: false, field: 'name', problem: `cluster ${name} is not known; allowed: ${this.#names('name')}` };
  }

  /** Told the server of a cluster that came, went, or began or ceased to answer. A listener must not throw. */
  onChange(listener: (server: string) => void): void {
    this.#changed.add(listener);
  }

  /** Changes of live objects in any cluster. A listener must not throw. */
  onLive(listener: (change: LiveChange) => void): void {
    this.#live.add(listener);
  }

  #byServer(server: string): ClusterChoice {
    const cluster = this.#clusters.get(server);
    if (cluster) return { ok: true, cluster };
    const problem = this.#broken.get(server)?.problem;
    if (problem)
      return { ok: false, field: 'server', problem: `the Secret of cluster ${server} cannot be used: ${problem}` };
    return { ok: false, field: 'server', problem: `cluster ${server} is not known; allowed: ${this.#names('server')}` };
  }

  #names(field: 'name' | 'server'): string {
    return this.list()
      .map(({ entry }) => entry[field])
      .sort()
      .slice(0, 20)
      .join(', ');
  }

  #follow(): void {
    const parsed = this.#informer.list().map((secret) => parseClusterSecret(secret, this.#options));
    const entries = new Map(parsed.map((entry) => [entry.server, entry]));
    const own = entries.get(inClusterServer) ?? inClusterEntry;
    const wanted = new Map([...entries, [inClusterServer, own] as const]);
    this.#broken.clear();
    for (const [server, entry] of wanted) {
      if (entry.problem) this.#broken.set(server, entry);
      const known = this.#clusters.get(server);
      if (known && !entry.problem && equalJson(known.entry, entry)) continue;
      // The cache of the own cluster outlives a change of its name or labels.
      if (server === inClusterServer && known) known.entry = entry;
      else {
        if (known) this.#drop(server, known);
        if (!entry.problem) this.#add(entry);
      }
      this.#tell(server);
    }
    for (const [server, cluster] of this.#clusters) if (!wanted.has(server)) this.#drop(server, cluster);
  }

  #add(entry: ClusterEntry): void {
    const { clock, log, client, settings } = this.#options;
    const ownsClient = entry.connection !== undefined;
    const own = entry.connection ? new KubeClient(entry.connection) : client;
    const onState = (changed: Cluster) => this.#tell(changed.entry.server);
    const cluster = new Cluster({ entry, client: own, clock, log, onState, ownsClient, settings });
    cluster.cache.onChange((change) => {
      for (const listener of this.#live) listener(change);
    });
    this.#clusters.set(entry.server, cluster);
    cluster.start();
  }

  #drop(server: string, cluster: Cluster): void {
    this.#clusters.delete(server);
    const leaving = cluster
      .stop()
      .catch((error: unknown) => this.#options.log.warn({ server, error: errorMessage(error) }, 'cluster not closed'))
      .finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
    this.#tell(server);
  }

  #tell(server: string): void {
    for (const listener of this.#changed) listener(server);
  }
}

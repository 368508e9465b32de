// The clusters of a runtime, its own and those that its engine deploys to (Argo CD's Secrets), each with its watch. A cluster
// whose Secret goes is forgotten with all that was seen there; one whose credentials change is watched anew.
import { anySignal, type Clock, contentHash, errorMessage, type Logger } from '@fairlead/base';
import { inClusterServer, type WorkloadReport, workloadKey } from '@fairlead/contracts';
import { controllerOf, Informer, KubeClient, type KubeObject, readStoredCluster } from '@fairlead/kube';
import type { Entity, Redactor } from '../application-reporter/index.ts';
import { fieldsOf } from '../identity/index.ts';
import { ClusterWatch } from './cluster-watch.ts';
import { type ApplicationOf, applicationIn, isReported, workloadOf } from './workload.ts';

interface WatchesOptions {
  /** Of the runtime's own cluster. */
  readonly client: KubeClient;
  /** Of cluster Secrets. */
  readonly engineNamespace: string;
  readonly redactor: Redactor;
  readonly maxWorkloads: number;
  readonly onChange: () => void;
  readonly log: Logger;
  readonly clock: Clock;
}

interface Watched {
  /** Of address and credentials. */
  readonly hash: string;
  readonly watch: ClusterWatch;
  readonly stop: () => Promise<void>;
}

interface Remembered {
  readonly application: string;
  readonly entity: Entity<WorkloadReport>;
}

const clusterSecrets = 'argocd.argoproj.io/secret-type=cluster';

export class WorkloadWatches {
  readonly #options: WatchesOptions;
  readonly #secrets: Informer;
  readonly #clusters = new Map<string, Watched>();
  /** By the object as the informer holds it: what did not change is not built and hashed again. */
  readonly #built = new WeakMap<KubeObject, Remembered>();
  #leftOut = 0;

  constructor(options: WatchesOptions) {
    const { client, engineNamespace: namespace, log, clock } = options;
    this.#options = options;
    const query = { apiVersion: 'v1', kind: 'Secret', namespace, labelSelector: clusterSecrets };
    this.#secrets = new Informer({ client, query, log, clock });
  }

  get counts(): { clusters: number; leftOut: number } {
    return { clusters: this.#clusters.size, leftOut: this.#leftOut };
  }

  async run({ signal }: { signal: AbortSignal }): Promise<void> {
    const { client } = this.#options;
    this.#watch({ server: inClusterServer, hash: '', client, ofOthers: false }, signal);
    let following = Promise.resolve();
    const follow = () => {
      following = following.then(() => this.#follow(signal));
    };
    this.#secrets.onChange(follow);
    void this.#secrets.synced({ signal }).then(follow, () => undefined); // aborted: the rest ends too
    await this.#secrets.run({ signal });
    await following;
    await Promise.all([...this.#clusters.values()].map(({ stop }) => stop()));
  }

  /** All that is to be reported, by key; at the bound the oldest are left out. */
  workloads(): Map<string, Entity<WorkloadReport>> {
    const seen = [...this.#clusters].flatMap(([cluster, { watch }]) => workloadsOf(watch.objects(), cluster));
    const { maxWorkloads } = this.#options;
    this.#leftOut = Math.max(0, seen.length - maxWorkloads);
    if (this.#leftOut > 0) {
      seen.sort((a, b) => (createdAt(a.object) < createdAt(b.object) ? 1 : -1));
      seen.length = maxWorkloads;
    }
    return new Map(seen.map((each) => this.#entityOf(each)));
  }

  /** Whether it is known that what was not seen is not there. */
  canTell(key: string): boolean {
    const cluster = key.slice(key.indexOf('@') + 1);
    const [kind] = key.split('/', 1);
    const watched = this.#clusters.get(cluster);
    if (!watched) return this.#secrets.isSynced;
    return watched.watch.hasSeen(kind as WorkloadReport['kind']); // an unknown kind has not been seen
  }

  #entityOf({ object, cluster, application }: SeenWorkload): [string, Entity<WorkloadReport>] {
    const attributed = application ? `${application.namespace}/${application.name}` : '';
    const known = this.#built.get(object);
    if (known?.application === attributed) return [workloadKey(known.entity.payload), known.entity];
    const { redactor } = this.#options;
    const payload = workloadOf(object, { cluster, application, redactor });
    const entity = { uid: payload.uid, payload, hash: contentHash(payload) };
    this.#built.set(object, { application: attributed, entity });
    return [workloadKey(payload), entity];
  }

  async #follow(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const wanted = new Map(
      this.#secrets.list().map((secret) => [fieldsOf(secret)['server']?.replace(/\/+$/, '') ?? '', secret]),
    );
    wanted.delete(inClusterServer);
    for (const [server, { stop, hash }] of this.#clusters) {
      const secret = wanted.get(server);
      if (server === inClusterServer || (secret && hashOf(secret) === hash)) continue;
      this.#clusters.delete(server);
      await stop();
      this.#options.onChange();
    }
    for (const [server, secret] of wanted) if (!this.#clusters.has(server)) this.#connect(server, secret, signal);
  }

  #connect(server: string, secret: KubeObject, signal: AbortSignal): void {
    const { log, clock } = this.#options;
    const { config } = fieldsOf(secret);
    const { connection, problem } = readStoredCluster({ server, config, allowExec: false });
    if (!connection) log.warn({ cluster: server, problem }, 'workloads of a cluster cannot be watched');
    else
      this.#watch(
        { server, hash: hashOf(secret), client: new KubeClient(connection, { clock }), ofOthers: true },
        signal,
      );
  }

  #watch({ server, hash, client, ofOthers }: ToWatch, signal: AbortSignal): void {
    const { onChange, log, clock } = this.#options;
    const watch = new ClusterWatch({ client, onChange, log: log.child({ cluster: server }), clock });
    const ending = new AbortController();
    const running = watch.run({ signal: anySignal([signal, ending.signal]) }).catch((error: unknown) => {
      if (!signal.aborted) log.error({ cluster: server, error: errorMessage(error) }, 'watching a cluster failed');
    });
    const stop = async () => {
      ending.abort();
      await running;
      if (ofOthers) await client.close();
    };
    this.#clusters.set(server, { hash, watch, stop });
  }
}

interface ToWatch {
  readonly server: string;
  readonly hash: string;
  readonly client: KubeClient;
  /** The client was made for this watch. */
  readonly ofOthers: boolean;
}

interface SeenWorkload {
  readonly object: KubeObject;
  readonly cluster: string;
  readonly application: ApplicationOf | undefined;
}

/** With the application that each belongs to: its own mark, or that of what it was made by. */
function workloadsOf(objects: readonly KubeObject[], cluster: string): SeenWorkload[] {
  const byUid = new Map(objects.map((object) => [object.metadata.uid, object]));
  const applicationOf = (object: KubeObject): ApplicationOf | undefined => {
    const own = applicationIn(object);
    const owner = own ? undefined : byUid.get(controllerOf(object)?.uid ?? '');
    return own ?? (owner && applicationIn(owner));
  };
  return objects.filter(isReported).map((object) => ({ object, cluster, application: applicationOf(object) }));
}

const createdAt = ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? '';
const hashOf = (secret: KubeObject): string => contentHash(secret['data'] ?? {});

// The watched kinds of one cluster. A kind that the cluster does not serve is not watched until its definition appears, and
// forgotten when that goes. While the cluster does not answer, what was seen last stands.
import { anySignal, type Clock, errorMessage, everyInterval, isAbortError, type Logger } from '@fairlead/base';
import { argoApiVersion, type WorkloadKind } from '@fairlead/contracts';
import { Informer, type KubeClient, type KubeObject, listAt, stringAt } from '@fairlead/kube';

const watched: readonly { readonly apiVersion: string; readonly kind: WorkloadKind }[] = [
  { apiVersion: argoApiVersion, kind: 'Rollout' },
  { apiVersion: argoApiVersion, kind: 'AnalysisRun' },
  { apiVersion: argoApiVersion, kind: 'Workflow' },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
];

const lookForKindsMs = 10_000;

interface WatchOptions {
  readonly client: KubeClient;
  readonly onChange: () => void;
  readonly log: Logger;
  readonly clock: Clock;
}

interface Watching {
  readonly informer: Informer;
  readonly stop: () => Promise<void>;
}

export class ClusterWatch {
  readonly #options: WatchOptions;
  readonly #kinds = new Map<WorkloadKind, Watching>();
  /** Kinds that the cluster was asked for at least once, and serves not. */
  readonly #absent = new Set<WorkloadKind>();
  #isSilent = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  objects(): KubeObject[] {
    return [...this.#kinds.values()].flatMap(({ informer }) => [...informer.list()]);
  }

  /** Whether what is not among the objects is known not to be there. */
  hasSeen(kind: WorkloadKind): boolean {
    return this.#absent.has(kind) || this.#kinds.get(kind)?.informer.isSynced === true;
  }

  async run({ signal }: { signal: AbortSignal }): Promise<void> {
    await everyInterval(lookForKindsMs, () => this.#look(signal), { signal, clock: this.#options.clock });
    await Promise.all([...this.#kinds.values()].map(({ stop }) => stop()));
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { client, log } = this.#options;
    for (const apiVersion of new Set(watched.map((each) => each.apiVersion))) {
      try {
        const served = await servedKinds(client, apiVersion, signal);
        for (const each of watched.filter((one) => one.apiVersion === apiVersion)) {
          if (served.has(each.kind)) this.#start(each, signal);
          else await this.#forget(each.kind);
        }
        this.#isSilent = false;
      } catch (error) {
        if (signal.aborted || isAbortError(error)) return;
        if (!this.#isSilent) log.warn({ error: errorMessage(error) }, 'the cluster does not say which kinds it serves');
        this.#isSilent = true;
      }
    }
  }

  #start(query: { apiVersion: string; kind: WorkloadKind }, signal: AbortSignal): void {
    if (this.#kinds.has(query.kind)) return;
    const { client, log, clock, onChange } = this.#options;
    const informer = new Informer({ client, query, log, clock, transform: withoutManagedFields });
    informer.onChange(onChange);
    const ending = new AbortController();
    const running = informer.run({ signal: anySignal([signal, ending.signal]) });
    void informer.synced({ signal: ending.signal }).then(onChange, () => undefined); // an empty list is news too
    const stop = async () => {
      ending.abort();
      await running;
    };
    this.#kinds.set(query.kind, { informer, stop });
    this.#absent.delete(query.kind);
  }

  async #forget(kind: WorkloadKind): Promise<void> {
    const watching = this.#kinds.get(kind);
    this.#kinds.delete(kind);
    if (watching || !this.#absent.has(kind)) this.#options.onChange();
    this.#absent.add(kind);
    await watching?.stop();
  }
}

/** Asked afresh: what is remembered of discovery would hide a definition that came or went. */
async function servedKinds(client: KubeClient, apiVersion: string, signal: AbortSignal): Promise<Set<string>> {
  const path = `/apis/${apiVersion}`;
  const groups = await client.raw({ method: 'GET', path: '/apis', signal });
  const isThere = listAt(groups, 'groups').some((group) =>
    listAt(group, 'versions').some((version) => stringAt(version, 'groupVersion') === apiVersion),
  );
  if (!isThere) return new Set();
  const answer = await client.raw({ method: 'GET', path, signal });
  return new Set(listAt(answer, 'resources').flatMap((resource) => stringAt(resource, 'kind') ?? []));
}

function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

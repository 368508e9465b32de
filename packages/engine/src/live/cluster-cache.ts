// What is in a cluster now, kept by watching every kind that can be listed and watched (but the excluded ones).
//
// Promises: kinds that come with new CRDs are picked up and those that go are dropped; a change tells the applications
// it concerns; what the engine itself has just written can be put in at once (`observe`) and older news never undo it.
// Not promised: a kind that cannot be listed (rights) is absent, and said so in the log.
import { setMaxListeners } from 'node:events';
import {
  anySignal,
  type Clock,
  errorMessage,
  isAbortError,
  type Logger,
  sleep,
  systemClock,
  withDeadline,
} from '@fairlead/base';
import {
  type ApiResource,
  apiVersionOf,
  equalJson,
  Informer,
  type KubeClient,
  type KubeObject,
  type ObjectChange,
  type ResourceRef,
} from '@fairlead/kube';
import { isExcluded, type KindRules } from './exclusions.ts';
import { ObjectIndex } from './object-index.ts';
import { type Tracking, trackedBy } from './tracking.ts';

export interface LiveChange {
  readonly type: 'add' | 'update' | 'delete';
  readonly object: KubeObject;
  /** What was known until now. */
  readonly before?: KubeObject | undefined;
  /** Names its application itself, not by its owners. */
  readonly isTracked: boolean;
  readonly applications: ReadonlySet<string>;
}

interface ClusterCacheOptions {
  readonly client: KubeClient;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Named by rules that hold for some clusters only. */
  readonly server?: string;
}

interface WatchedKind {
  readonly resource: ApiResource;
  readonly informer: Informer;
  readonly stop: AbortController;
  readonly running: Promise<void>;
}

const crdKind = 'apiextensions.k8s.io/CustomResourceDefinition';
const kindsSettleMs = 200;
const kindsRetryMs = 10_000;
const kindsRefreshMs = 10 * 60_000;

export class ClusterCache {
  readonly #client: KubeClient;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #index = new ObjectIndex();
  readonly #kinds = new Map<string, WatchedKind>();
  readonly #listeners = new Set<(change: LiveChange) => void>();
  readonly #server: string;
  #rules: KindRules = {};
  /** Resolves when kinds may have come or gone since they were last asked for. */
  #kindsMoved: Promise<void> = Promise.resolve();
  #wakeKinds: () => void = () => undefined;

  constructor({ client, log, clock = systemClock, server = '' }: ClusterCacheOptions) {
    this.#server = server;
    this.#client = client;
    this.#log = log;
    this.#clock = clock;
  }

  get counts(): { objects: number; kinds: number } {
    return { objects: this.#index.size, kinds: this.#kinds.size };
  }

  get tracking(): Tracking {
    return this.#index.tracking;
  }

  /** What `argocd-cm` says about tracking and about kinds that are watched. */
  follow(settings: KindRules & { readonly tracking: Tracking }): void {
    if (!equalJson(settings.tracking, this.#index.tracking)) this.#index.follow(settings.tracking);
    const { exclusions, inclusions } = settings;
    const rules = { ...(exclusions ? { exclusions } : {}), ...(inclusions ? { inclusions } : {}) };
    if (equalJson(rules, this.#rules)) return;
    this.#rules = rules;
    this.#wakeKinds();
  }

  /** Begins to watch; resolves when the first lists are in (kinds that fail to list are waited for at most `waitMs`). */
  async start({
    signal,
    waitMs = 15_000,
  }: {
    signal: AbortSignal;
    waitMs?: number;
  }): Promise<{ running: Promise<void> }> {
    await this.#refreshKinds(signal);
    const late = withDeadline(signal, waitMs);
    setMaxListeners(0, late); // one listener a kind is no leak
    await Promise.all(
      [...this.#kinds.values()].map(({ informer, resource }) =>
        informer.synced({ signal: late }).catch((error: unknown) => {
          if (signal.aborted) throw error;
          this.#log.warn({ group: resource.group, kind: resource.kind }, 'a kind could not be listed in time');
        }),
      ),
    );
    return { running: this.#followKinds(signal) };
  }

  get(ref: Omit<ResourceRef, 'version'>): KubeObject | undefined {
    return this.#index.get(ref);
  }

  children(uid: string): KubeObject[] {
    return this.#index.children(uid);
  }

  /** Objects of a namespace that have no owner, whoever made them. */
  ownerless(namespace: string): KubeObject[] {
    return [...this.#index.ownerless(namespace)];
  }

  managedBy(application: string): KubeObject[] {
    return this.#index.managedBy(application);
  }

  /** Takes in an object the API server has just answered, without waiting for the watch to bring it. */
  observe(object: KubeObject): void {
    this.#index.put(thin(object), { isAhead: true });
  }

  forget(object: KubeObject): void {
    this.#index.remove(object);
  }

  /** A listener must not throw. */
  onChange(listener: (change: LiveChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Whether objects of a kind live in namespaces; undefined when the kind is not known (yet). */
  isNamespaced({ group, kind }: { readonly group: string; readonly kind: string }): boolean | undefined {
    return this.#kinds.get(`${group}/${kind}`)?.resource.namespaced;
  }

  async #followKinds(signal: AbortSignal): Promise<void> {
    let delayMs = kindsRefreshMs;
    while (!signal.aborted) {
      const slept = new AbortController();
      const timer = sleep(delayMs, { signal: anySignal([signal, slept.signal]), clock: this.#clock });
      await Promise.race([this.#kindsMoved, timer.catch(() => undefined)]); // only aborts reject; the loop condition sees ours
      slept.abort();
      if (signal.aborted) break;
      try {
        await sleep(kindsSettleMs, { signal, clock: this.#clock });
        await this.#refreshKinds(signal);
        delayMs = kindsRefreshMs;
      } catch (error) {
        if (signal.aborted && isAbortError(error)) break;
        this.#log.warn({ error: errorMessage(error) }, 'the kinds of the cluster could not be read');
        delayMs = kindsRetryMs;
      }
    }
    await Promise.all([...this.#kinds.values()].map(({ running }) => running));
  }

  /** A definition that is established while the kinds are read counts for the next round. */
  async #refreshKinds(signal: AbortSignal): Promise<void> {
    this.#kindsMoved = new Promise((resolve) => {
      this.#wakeKinds = resolve;
    });
    const { resources, failedGroups } = await this.#client.discovery({ signal });
    const wanted = new Map<string, ApiResource>();
    for (const resource of resources) {
      const key = `${resource.group}/${resource.kind}`;
      const isWatchable = resource.verbs.includes('list') && resource.verbs.includes('watch');
      if (isWatchable && !isExcluded(resource, this.#rules, this.#server) && !wanted.has(key))
        wanted.set(key, resource); // preferred versions come first
    }
    for (const [key, resource] of wanted) if (!this.#kinds.has(key)) this.#watch(key, resource, signal);
    for (const [key, { resource }] of this.#kinds) {
      if (!wanted.has(key) && !failedGroups.includes(resource.group)) this.#unwatch(key);
    }
  }

  #watch(key: string, resource: ApiResource, signal: AbortSignal): void {
    const query = { apiVersion: apiVersionOf(resource), kind: resource.kind };
    const informer = new Informer({ client: this.#client, query, log: this.#log, clock: this.#clock, transform: thin });
    informer.onChange((change) => this.#apply(key, change));
    const stop = new AbortController();
    const running = informer.run({ signal: anySignal([signal, stop.signal]) });
    this.#kinds.set(key, { resource, informer, stop, running });
  }

  #unwatch(key: string): void {
    const kind = this.#kinds.get(key);
    this.#kinds.delete(key);
    kind?.stop.abort();
    for (const object of kind?.informer.list() ?? []) this.#apply(key, { type: 'delete', object, old: object });
  }

  #apply(key: string, { type, object }: ObjectChange): void {
    if (key === crdKind) this.#wakeKinds();
    const applications = this.#index.applicationsOf(object);
    const before = this.#index.get(refIn(object));
    if (before) for (const name of this.#index.applicationsOf(before)) applications.add(name);
    if (type === 'delete') this.#index.remove(object);
    else if (!this.#index.put(object)) return;
    const isTracked = trackedBy(object, this.#index.tracking) !== undefined;
    for (const listener of this.#listeners) listener({ type, object, before, isTracked, applications });
  }
}

function refIn(object: KubeObject): Omit<ResourceRef, 'version'> {
  const [group = ''] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : [''];
  return { group, kind: object.kind, namespace: object.metadata.namespace, name: object.metadata.name };
}

/** managedFields are large and never read here. */
function thin(object: KubeObject): KubeObject {
  const { managedFields: _dropped, ...metadata } = object.metadata;
  return { ...object, metadata };
}

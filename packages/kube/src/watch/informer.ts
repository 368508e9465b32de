// A local copy of one query's objects, kept true by list + watch.
// Promises: after any cut, stall or 410 the copy converges to the server's state, with every deletion seen as a change;
// listeners see changes in the server's order; nothing stops it but the signal. Does not promise every intermediate
// state: it is level-based. Memory is bounded by the query, and `transform` may thin what is stored.
import {
  backoffDelay,
  type Clock,
  errorMessage,
  type Logger,
  type Random,
  silentLogger,
  sleep,
  systemClock,
} from '@fairlead/base';
import { apiErrorOf, isGone, type KubeClient, type ListQuery } from '../client/index.ts';
import { equalJson, type KubeObject, objectKey } from '../object/index.ts';
import { withIdleLimit } from './idle-limit.ts';

export type ObjectChange =
  | { readonly type: 'add'; readonly object: KubeObject; readonly old?: undefined }
  | { readonly type: 'update' | 'delete'; readonly object: KubeObject; readonly old: KubeObject };

export interface InformerOptions {
  readonly client: KubeClient;
  readonly query: ListQuery;
  readonly log?: Logger;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Applied before storing, e.g. to drop managedFields. Must keep apiVersion, kind and metadata's identity. */
  readonly transform?: (object: KubeObject) => KubeObject;
  /** A watch that is silent for longer (servers send a bookmark a minute) is taken for dead. Default 70 s. */
  readonly idleLimitMs?: number;
}

/** What the informer has met; every word is a fact a person may ask for when a copy looks stale. */
export interface InformerStats {
  lists: number;
  watches: number;
  events: number;
  bookmarks: number;
  gones: number;
  stalls: number;
  failures: number;
}

/** As long as API servers themselves let a watch last: each new one costs both ends a connection. A dead one is known by its silence. */
const watchSeconds = 1800;
const pageSize = 500;

export class Informer {
  readonly stats: InformerStats = { lists: 0, watches: 0, events: 0, bookmarks: 0, gones: 0, stalls: 0, failures: 0 };
  readonly #options: InformerOptions;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #listeners = new Set<(change: ObjectChange) => void>();
  readonly #firstSync = deferred();
  #objects = new Map<string, KubeObject>();
  #resourceVersion: string | undefined;
  #isSynced: boolean = false;

  constructor(options: InformerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#log = (options.log ?? silentLogger).child({ kind: options.query.kind, namespace: options.query.namespace });
  }

  /** True once the first list is in; stays true through later outages (the copy is then stale, not empty). */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  get(key: string): KubeObject | undefined {
    return this.#objects.get(key);
  }

  list(): readonly KubeObject[] {
    return [...this.#objects.values()];
  }

  get size(): number {
    return this.#objects.size;
  }

  /** Calls back for every change from now on; returns the way to stop that. A listener must not throw. */
  onChange(listener: (change: ObjectChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Resolves when the first list is in; rejects when `signal` aborts before. */
  synced({ signal }: { signal?: AbortSignal } = {}): Promise<void> {
    if (!signal) return this.#firstSync.promise;
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(signal.reason);
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      void this.#firstSync.promise.then(() => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      });
    });
  }

  /** Resolves when the signal aborts; never before. */
  async run({ signal }: { signal: AbortSignal }): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const startedMs = this.#clock.monotonic();
      try {
        if (this.#resourceVersion === undefined) await this.#relist(signal);
        await this.#watch(signal);
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures = this.#recover(error, failures);
      }
      // A server that ends every watch at once must not be hammered.
      const tooFast = this.#clock.monotonic() - startedMs < 1000;
      if (!tooFast && failures === 0) continue;
      const delayMs = backoffDelay(failures, { baseMs: 200, maxMs: 30_000, random: this.#random });
      await sleep(delayMs, { signal, clock: this.#clock }).catch(() => undefined); // the loop condition sees the abort
    }
  }

  #recover(error: unknown, failures: number): number {
    if (isGone(error)) {
      // Our version was compacted away: only a fresh list is safe.
      this.stats.gones++;
      this.#resourceVersion = undefined;
      this.#log.debug('watch version is gone, listing again');
      return failures === 0 ? 0 : failures + 1;
    }
    this.stats.failures++;
    this.#log.warn({ error: errorMessage(error), failures: failures + 1 }, 'watch interrupted, will resume');
    return failures + 1;
  }

  async #relist(signal: AbortSignal): Promise<void> {
    this.stats.lists++;
    const { client, query } = this.#options;
    const objects = new Map<string, KubeObject>();
    let page = await client.list({ ...query, limit: pageSize }, { signal });
    for (;;) {
      for (const object of page.items) objects.set(objectKey(object), this.#thin(object));
      if (!page.continue) break;
      page = await client.list({ ...query, limit: pageSize, continue: page.continue }, { signal });
    }
    this.#replace(objects);
    this.#resourceVersion = page.resourceVersion;
    this.#isSynced = true;
    this.#firstSync.resolve();
  }

  #replace(next: Map<string, KubeObject>): void {
    const before = this.#objects;
    this.#objects = next;
    for (const [key, old] of before) if (!next.has(key)) this.#emit({ type: 'delete', object: old, old });
    for (const [key, object] of next) {
      const old = before.get(key);
      if (!old) this.#emit({ type: 'add', object });
      else if (old.metadata.resourceVersion !== object.metadata.resourceVersion || !equalJson(old, object)) {
        this.#emit({ type: 'update', object, old });
      }
    }
  }

  async #watch(signal: AbortSignal): Promise<void> {
    this.stats.watches++;
    const { client, query, idleLimitMs = 70_000 } = this.#options;
    const timeoutSeconds = Math.round(watchSeconds * (1 + this.#random()));
    const limited = withIdleLimit({ signal, limitMs: idleLimitMs, clock: this.#clock });
    try {
      const options = { resourceVersion: this.#resourceVersion, signal: limited.signal, timeoutSeconds };
      for await (const event of client.watch(query, options)) {
        limited.touch();
        this.#apply(event);
      }
    } catch (error) {
      if (!signal.aborted && limited.signal.aborted) this.stats.stalls++;
      throw error;
    } finally {
      limited.clear();
    }
  }

  #apply({ type, object }: { type: string; object: KubeObject }): void {
    if (type === 'ERROR') throw apiErrorOf(object, 500);
    this.#resourceVersion = object.metadata.resourceVersion ?? this.#resourceVersion;
    if (type === 'BOOKMARK') {
      this.stats.bookmarks++;
      return;
    }
    this.stats.events++;
    const key = objectKey(object);
    const old = this.#objects.get(key);
    const next = this.#thin(object);
    if (type === 'DELETED') {
      this.#objects.delete(key);
      if (old) this.#emit({ type: 'delete', object: next, old });
      return;
    }
    this.#objects.set(key, next);
    this.#emit(old ? { type: 'update', object: next, old } : { type: 'add', object: next });
  }

  #thin(object: KubeObject): KubeObject {
    return this.#options.transform ? this.#options.transform(object) : object;
  }

  #emit(change: ObjectChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

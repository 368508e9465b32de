// The cluster's memory: every object, one revision counter, a log on disk.
// Promises: a commit is visible at once to the next commit (so compare-and-swap needs no lock), but watchers and callers
// learn of it only when it is on disk; so no revision that anybody saw can be lost or given twice. Changes are published
// in order; commits that a full disk refused are undone before anybody saw them, and their revisions are used anew.
// Does not know kinds, defaults or rules: those are the room `objects`. Stored objects are never changed.
import { errorMessage, type Logger } from '@fairlead/base';
import type { KubeObject } from '@fairlead/kube/object';
import { Collection, collectionKey } from './collection.ts';
import type { StorageFailedError } from './errors.ts';
import { logPath, type Recovered, recover, syncFolder, writeSnapshot } from './files.ts';
import { History } from './history.ts';
import { type Appender, LogFile } from './log-file.ts';
import { OwnerIndex } from './owner-index.ts';
import { type DecodedRecord, encodeRecord } from './record.ts';

export interface Stored {
  readonly resource: string;
  readonly revision: number;
  readonly object: KubeObject;
  /** The object's JSON, as it is on disk and on the wire. */
  readonly json: Buffer;
}

export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly stored: Stored;
  readonly previous: Stored | undefined;
  /** Encoded forms, made once for all watchers; the key says which form. */
  readonly encoded: Map<string, Buffer>;
}

export type Mutation =
  | { readonly type: 'put'; readonly resource: string; readonly build: (revision: number) => KubeObject }
  | { readonly type: 'delete'; readonly stored: Stored };

export interface Committed {
  readonly stored: Stored;
  readonly durable: Promise<void>;
}

export interface StoreOptions {
  readonly dir: string;
  readonly fsync: boolean;
  readonly log: Logger;
  /** Changes kept per resource for resuming watches. */
  readonly historyLimit?: number;
  /** A log longer than this (and than twice the live data) is replaced by a snapshot. */
  readonly snapshotBytes?: number;
  readonly appender?: Appender;
}

type OpenOptions = StoreOptions & Required<Pick<StoreOptions, 'historyLimit' | 'snapshotBytes'>>;

export type StoreListener = (event: StoreEvent) => void;

export class Store {
  readonly #options: OpenOptions;
  readonly #collections = new Map<string, Collection>();
  readonly #histories = new Map<string, History>();
  readonly #owners = new OwnerIndex();
  readonly #listeners = new Map<string, Set<StoreListener>>();
  readonly #log: LogFile;
  readonly #baseRevision: number;
  #revision = 0;
  #durableRevision = 0;
  #liveBytes = 0;
  #logSequence: number;
  #snapshotting: Promise<void> | undefined;
  #refusal: StorageFailedError | undefined;
  #refusals = 0;

  private constructor(options: OpenOptions, log: LogFile, recovered: Recovered) {
    this.#options = options;
    this.#log = log;
    this.#logSequence = recovered.log.sequence;
    this.#baseRevision = recovered.snapshotRevision;
    this.#revision = recovered.snapshotRevision;
  }

  static async open(given: StoreOptions): Promise<Store> {
    const options = { historyLimit: 4096, snapshotBytes: 64 * 1024 * 1024, ...given };
    const recovered = await recover(options.dir);
    const { path, goodBytes } = recovered.log;
    const log = await LogFile.open(path, { sizeBytes: goodBytes, ...options });
    await syncFolder(options.dir);
    if (recovered.tornBytes > 0) {
      options.log.warn({ file: path, tornBytes: recovered.tornBytes }, 'cut off the torn end of the log');
    }
    const store = new Store(options, log, recovered);
    for (const record of recovered.snapshot) store.#replay(record, false);
    for (const record of recovered.changes) {
      if (record.header.revision > recovered.snapshotRevision) store.#replay(record, true);
    }
    store.#durableRevision = store.#revision;
    return store;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Everything up to here is on disk and has been published. */
  get durableRevision(): number {
    return this.#durableRevision;
  }

  get counts(): { readonly objects: number; readonly logBytes: number; readonly refusals: number } {
    const objects = [...this.#collections.values()].reduce((sum, { size }) => sum + size, 0);
    return { objects, logBytes: this.#log.sizeBytes, refusals: this.#refusals };
  }

  read(resource: string, namespace: string, name: string): Stored | undefined {
    return this.#collections.get(resource)?.get(collectionKey(namespace, name));
  }

  collection(resource: string): Collection {
    let collection = this.#collections.get(resource);
    if (!collection) {
      collection = new Collection();
      this.#collections.set(resource, collection);
    }
    return collection;
  }

  resources(): readonly string[] {
    return [...this.#collections.keys()];
  }

  /** The living object with this uid. */
  byUid(uid: string): Stored | undefined {
    return this.#owners.byUid(uid);
  }

  /** Objects whose ownerReferences name this uid. */
  dependentsOf(uid: string): readonly Stored[] {
    return this.#owners.dependentsOf(uid);
  }

  commit(mutation: Mutation): Committed {
    const revision = ++this.#revision;
    const event = mutation.type === 'put' ? this.#put(mutation, revision) : this.#delete(mutation.stored, revision);
    const { object, resource, json } = event.stored;
    const header = {
      type: mutation.type,
      revision,
      resource,
      namespace: object.metadata.namespace ?? '',
      name: object.metadata.name,
    };
    const record = encodeRecord(header, mutation.type === 'put' ? json : undefined);
    const durable = new Promise<void>((resolve, reject) => {
      const onDurable = () => {
        this.#durableRevision = revision;
        this.#publish(event);
        resolve();
      };
      const onFailed = (error: StorageFailedError) => {
        this.#undo(event);
        this.#refusal = error;
        this.#refusals += 1;
        reject(error);
      };
      this.#log.append(record, onDurable, onFailed);
    });
    this.#maybeSnapshot();
    return { stored: event.stored, durable };
  }

  /** Resolves when everything up to `revision` is on disk: reads wait for this before they tell of a revision. */
  async settled(revision = this.#revision): Promise<void> {
    const refusals = this.#refusals;
    while (this.#durableRevision < revision) {
      if (this.#log.failure) throw this.#log.failure;
      await this.#log.drain();
      if (this.#refusal && this.#refusals > refusals) throw this.#refusal; // the revision may have been undone
    }
  }

  isSettled(revision: number): boolean {
    return revision <= this.#durableRevision;
  }

  /** Changes of `resource` after `revision` that are on disk; undefined when they are no longer known. */
  changesAfter(resource: string, revision: number): readonly StoreEvent[] | undefined {
    return this.#history(resource).after(revision);
  }

  /** Calls back for every change of `resource` ('*' for all) once it is on disk. Returns the way to stop that. */
  subscribe(resource: string, listener: StoreListener): () => void {
    let listeners = this.#listeners.get(resource);
    if (!listeners) {
      listeners = new Set();
      this.#listeners.set(resource, listeners);
    }
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  async close(): Promise<void> {
    await this.#snapshotting;
    await this.#log.close();
  }

  #history(resource: string): History {
    let history = this.#histories.get(resource);
    if (!history) {
      history = new History(this.#options.historyLimit, this.#baseRevision);
      this.#histories.set(resource, history);
    }
    return history;
  }

  #put({ resource, build }: Extract<Mutation, { type: 'put' }>, revision: number): StoreEvent {
    const object = build(revision);
    return this.#insert({ resource, revision, object, json: Buffer.from(JSON.stringify(object)) });
  }

  #insert(stored: Stored): StoreEvent {
    const { namespace = '', name } = stored.object.metadata;
    const collection = this.collection(stored.resource);
    const key = collectionKey(namespace, name);
    const previous = collection.get(key);
    collection.set(key, stored);
    collection.latestRevision = stored.revision;
    this.#owners.replace(previous, stored);
    this.#liveBytes += stored.json.length - (previous?.json.length ?? 0);
    return { type: previous ? 'MODIFIED' : 'ADDED', revision: stored.revision, stored, previous, encoded: new Map() };
  }

  #delete(previous: Stored, revision: number): StoreEvent {
    const { resource } = previous;
    const { namespace = '', name } = previous.object.metadata;
    const collection = this.collection(resource);
    collection.delete(collectionKey(namespace, name));
    collection.latestRevision = revision;
    this.#owners.replace(previous, undefined);
    this.#liveBytes -= previous.json.length;
    // Kubernetes tells of a deletion with the last state, at the revision of the deletion.
    const metadata = { ...previous.object.metadata, resourceVersion: String(revision) };
    const object = { ...previous.object, metadata };
    const stored = { resource, revision, object, json: Buffer.from(JSON.stringify(object)) };
    return { type: 'DELETED', revision, stored, previous, encoded: new Map() };
  }

  /** Newest first: each finds the state that it left. */
  #undo({ stored, previous, type, revision }: StoreEvent): void {
    const { namespace = '', name } = stored.object.metadata;
    const collection = this.collection(stored.resource);
    const key = collectionKey(namespace, name);
    const now = type === 'DELETED' ? undefined : stored;
    if (previous) collection.set(key, previous);
    else collection.delete(key);
    collection.latestRevision = Math.min(collection.latestRevision, this.#durableRevision);
    this.#owners.replace(now, previous);
    this.#liveBytes += (previous?.json.length ?? 0) - (now?.json.length ?? 0);
    this.#revision = revision - 1;
  }

  #publish(event: StoreEvent): void {
    this.#history(event.stored.resource).add(event);
    for (const name of [event.stored.resource, '*']) {
      for (const listener of this.#listeners.get(name) ?? []) listener(event);
    }
  }

  #replay({ header, json }: DecodedRecord, isChange: boolean): void {
    const { resource, namespace, name, revision } = header;
    this.#revision = Math.max(this.#revision, revision);
    if (header.type === 'put') {
      const object = JSON.parse(json.toString('utf8')) as KubeObject; // our own writing, checksummed
      const event = this.#insert({ resource, revision, object, json });
      if (isChange) this.#history(resource).add(event);
      return;
    }
    const previous = this.read(resource, namespace, name);
    if (previous) this.#history(resource).add(this.#delete(previous, revision));
  }

  #maybeSnapshot(): void {
    const { snapshotBytes, dir, log } = this.#options;
    if (this.#snapshotting || this.#log.sizeBytes < Math.max(snapshotBytes, 2 * this.#liveBytes)) return;
    this.#snapshotting = this.#snapshot(dir)
      .catch((error: unknown) => log.error({ error: errorMessage(error) }, 'snapshot failed; the log keeps growing'))
      .finally(() => {
        this.#snapshotting = undefined;
      });
  }

  async #snapshot(dir: string): Promise<void> {
    const sequence = this.#logSequence + 1;
    let revision = 0;
    let all: Stored[] = [];
    await this.#log.rotate(logPath(dir, sequence), () => {
      this.#logSequence = sequence;
      revision = this.#revision;
      all = [...this.#collections.values()].flatMap((collection) => [...collection.scan()]);
    });
    await writeSnapshot(dir, { sequence, revision, records: recordsOf(all) });
  }
}

function* recordsOf(all: readonly Stored[]): Generator<Buffer> {
  for (const { resource, revision, object, json } of all) {
    const { namespace = '', name } = object.metadata;
    yield encodeRecord({ type: 'put', revision, resource, namespace, name }, json);
  }
}

// The client of one cluster: typed verbs over unstructured objects. Promises: paths come from the server's own discovery
// (never guessed plurals), every call takes a signal, every request is counted. Holds no cache of objects: that is the
// informer's work.
import {
  type GroupVersionKind,
  gvkOf,
  isRecord,
  type KubeObject,
  type ResourceRef,
  refOf,
  stringAt,
} from '../object/index.ts';
import { type ApiResource, Discovery, type DiscoveryResult } from './discovery.ts';
import { isNotFound } from './errors.ts';
import type { ClusterConnection } from './kubeconfig.ts';
import { type ApiRequest, Transport, type TransportOptions } from './transport.ts';
import { jsonLines } from './watch-lines.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

export interface WriteOptions extends CallOptions {
  readonly dryRun?: boolean | undefined;
  readonly fieldManager?: string | undefined;
}

export interface ListQuery {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

export interface PageQuery extends ListQuery {
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

export interface KubeList {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
  /** Present while there are more pages. */
  readonly continue?: string | undefined;
}

export interface PatchOptions extends WriteOptions {
  readonly type: 'merge' | 'json' | 'strategic' | 'apply';
  readonly subresource?: string | undefined;
  /** Server-side apply only: take fields over from other managers. */
  readonly force?: boolean | undefined;
}

export interface DeleteOptions extends CallOptions {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface WatchOptions {
  readonly resourceVersion?: string | undefined;
  readonly signal: AbortSignal;
  readonly timeoutSeconds?: number | undefined;
  readonly allowWatchBookmarks?: boolean | undefined;
}

/** BOOKMARK carries a version only; ERROR carries a `Status` object. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: KubeObject;
}

export interface LogOptions {
  readonly signal: AbortSignal;
  readonly container?: string | undefined;
  readonly follow?: boolean | undefined;
  readonly previous?: boolean | undefined;
  readonly tailLines?: number | undefined;
  readonly sinceSeconds?: number | undefined;
  /** RFC 3339; servers go by whole seconds. */
  readonly sinceTime?: string | undefined;
  readonly timestamps?: boolean | undefined;
}

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'log' | 'discovery';

const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

interface Guarding {
  /** Whose sockets, discovery and counts are used. */
  readonly of: KubeClient;
  readonly guard: () => void;
}

export class KubeClient {
  readonly connection: ClusterConnection;
  readonly #transport: Transport;
  readonly #discovery: Discovery;
  readonly #counts: Map<Verb, number>;
  readonly #guard: (() => void) | undefined;

  constructor(connection: ClusterConnection, options: TransportOptions | Guarding = {}) {
    this.connection = connection;
    if ('of' in options) {
      const { of, guard } = options;
      this.#transport = of.#transport;
      this.#discovery = of.#discovery;
      this.#counts = of.#counts;
      this.#guard = guard;
      return;
    }
    this.#transport = new Transport(connection, options);
    this.#counts = new Map();
    this.#discovery = new Discovery((call) => this.#counted('discovery', call));
  }

  /** The same client, but each write asks `guard` right before it is sent, and throws what that throws. */
  guardedBy(guard: () => void): KubeClient {
    return new KubeClient(this.connection, { of: this, guard });
  }

  async get(ref: ResourceRef, options: CallOptions = {}): Promise<KubeObject> {
    const path = await this.#objectPath(ref, options);
    return asObject(await this.#counted('get', { ...options, method: 'GET', path }));
  }

  /** Undefined for what is not there. */
  async find(ref: ResourceRef, options: CallOptions = {}): Promise<KubeObject | undefined> {
    try {
      return await this.get(ref, options);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** One page; without `limit`, everything. Items carry apiVersion and kind, which servers leave out inside lists. */
  async list(query: PageQuery, options: CallOptions = {}): Promise<KubeList> {
    const { labelSelector, fieldSelector, limit, resourceVersion } = query;
    const path = await this.#collectionPath(query, options);
    const parameters = { labelSelector, fieldSelector, limit, resourceVersion, continue: query.continue };
    const answer = await this.#counted('list', { ...options, method: 'GET', path, query: parameters });
    const items = isRecord(answer) && Array.isArray(answer['items']) ? (answer['items'] as KubeObject[]) : [];
    return {
      items: items.map((item) => (item.kind ? item : { ...item, apiVersion: query.apiVersion, kind: query.kind })),
      resourceVersion: stringAt(answer, 'metadata', 'resourceVersion') ?? '',
      continue: stringAt(answer, 'metadata', 'continue') || undefined,
    };
  }

  /** Every object of the query, page after page. */
  async *listAll(query: PageQuery, options: CallOptions = {}): AsyncGenerator<KubeObject> {
    let page: KubeList | undefined;
    do {
      page = await this.list({ limit: 500, ...query, ...(page ? { continue: page.continue } : {}) }, options);
      yield* page.items;
    } while (page.continue);
  }

  async create(object: KubeObject, options: WriteOptions = {}): Promise<KubeObject> {
    const query = { apiVersion: object.apiVersion, kind: object.kind, namespace: object.metadata.namespace };
    const path = await this.#collectionPath(query, options);
    return this.#write('create', { method: 'POST', path, body: object }, options);
  }

  async update(object: KubeObject, options: WriteOptions = {}): Promise<KubeObject> {
    const path = await this.#objectPath(refOf(object), options);
    return this.#write('update', { method: 'PUT', path, body: object }, options);
  }

  async updateStatus(object: KubeObject, options: WriteOptions = {}): Promise<KubeObject> {
    const path = `${await this.#objectPath(refOf(object), options)}/status`;
    return this.#write('update', { method: 'PUT', path, body: object }, options);
  }

  /** For `apply`, `body` is the full intent of `fieldManager`; apiVersion, kind and name are filled in from `ref`. */
  async patch(ref: ResourceRef, body: unknown, options: PatchOptions): Promise<KubeObject> {
    const suffix = options.subresource ? `/${options.subresource}` : '';
    const path = `${await this.#objectPath(ref, options)}${suffix}`;
    const call = { method: 'PATCH', path, body, contentType: patchTypes[options.type] } as const;
    const query = options.type === 'apply' ? { force: options.force } : {};
    const fieldManager = options.fieldManager ?? (options.type === 'apply' ? 'fairlead' : undefined);
    return this.#write('patch', { ...call, query }, { ...options, fieldManager });
  }

  /** The object as it was deleted, or as it now waits for its finalizers; undefined when the server answers a Status. */
  async delete(ref: ResourceRef, options: DeleteOptions = {}): Promise<KubeObject | undefined> {
    const { propagationPolicy, gracePeriodSeconds, preconditions, dryRun, ...rest } = options;
    const path = await this.#objectPath(ref, options);
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy,
      gracePeriodSeconds,
      preconditions,
      ...(dryRun ? { dryRun: ['All'] } : {}),
    };
    const answer = await this.#counted('delete', { ...rest, method: 'DELETE', path, body, guard: this.#guard });
    return isRecord(answer) && answer['kind'] !== 'Status' ? asObject(answer) : undefined;
  }

  /** Ends when the server ends the watch (`timeoutSeconds`); throws when the connection is lost or the signal aborts. */
  async *watch(query: ListQuery, options: WatchOptions): AsyncGenerator<WatchEvent> {
    const { signal, resourceVersion, timeoutSeconds, allowWatchBookmarks = true } = options;
    const path = await this.#collectionPath(query, { signal });
    const { labelSelector, fieldSelector } = query;
    const parameters = {
      watch: true,
      allowWatchBookmarks,
      resourceVersion,
      timeoutSeconds,
      labelSelector,
      fieldSelector,
    };
    this.#count('watch');
    const chunks = await this.#transport.stream({ method: 'GET', path, query: parameters, signal });
    for await (const event of jsonLines(chunks)) yield event as WatchEvent; // the wire's own shape
  }

  async podLogs(
    pod: { readonly namespace: string; readonly name: string },
    { signal, ...parameters }: LogOptions,
  ): Promise<AsyncIterable<Buffer>> {
    const path = `/api/v1/namespaces/${segment(pod.namespace)}/pods/${segment(pod.name)}/log`;
    this.#count('log');
    return this.#transport.stream({ method: 'GET', path, query: parameters, signal, accept: '*/*' });
  }

  async version(
    options: CallOptions = {},
  ): Promise<{ readonly gitVersion: string; readonly [field: string]: unknown }> {
    const answer = await this.#counted('discovery', { ...options, method: 'GET', path: '/version' });
    return { ...(isRecord(answer) ? answer : {}), gitVersion: stringAt(answer, 'gitVersion') ?? '' };
  }

  discovery(options: CallOptions = {}): Promise<DiscoveryResult> {
    return this.#discovery.all(options);
  }

  /** Throws UnknownKindError when the server has no such kind even after asking afresh. */
  resourceFor(gvk: GroupVersionKind, options: CallOptions = {}): Promise<ApiResource> {
    return this.#discovery.resourceFor(gvk, options);
  }

  /** A request the verbs above do not cover. Not counted by verb. */
  raw(call: ApiRequest): Promise<unknown> {
    return this.#transport.json(call);
  }

  requestCounts(): Readonly<Record<Verb, number>> {
    const of = (verb: Verb) => this.#counts.get(verb) ?? 0;
    return {
      get: of('get'),
      list: of('list'),
      watch: of('watch'),
      create: of('create'),
      update: of('update'),
      patch: of('patch'),
      delete: of('delete'),
      log: of('log'),
      discovery: of('discovery'),
    };
  }

  /** Ends every socket; running calls and watches fail. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  #count(verb: Verb): void {
    this.#counts.set(verb, (this.#counts.get(verb) ?? 0) + 1);
  }

  #counted(verb: Verb, call: ApiRequest): Promise<unknown> {
    this.#count(verb);
    return this.#transport.json(call);
  }

  async #write(verb: Verb, call: ApiRequest, options: WriteOptions): Promise<KubeObject> {
    const { dryRun, fieldManager, signal, timeoutMs } = options;
    const query = { ...call.query, dryRun: dryRun ? 'All' : undefined, fieldManager };
    const limits = { signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
    return asObject(await this.#counted(verb, { ...call, ...limits, query, guard: this.#guard }));
  }

  async #collectionPath(query: Omit<ListQuery, 'labelSelector'>, { signal }: CallOptions): Promise<string> {
    const gvk = gvkOf(query);
    return pathOf(await this.#discovery.resourceFor(gvk, { signal }), query.namespace);
  }

  async #objectPath(ref: ResourceRef, { signal }: CallOptions): Promise<string> {
    const resource = await this.#discovery.resourceFor(ref, { signal });
    return `${pathOf(resource, ref.namespace)}/${segment(ref.name)}`;
  }
}

const segment = (text: string) => encodeURIComponent(text);

function pathOf({ group, version, plural, namespaced }: ApiResource, namespace: string | undefined): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespaced && namespace ? `${root}/namespaces/${segment(namespace)}/${plural}` : `${root}/${plural}`;
}

function asObject(answer: unknown): KubeObject {
  return answer as KubeObject; // a 2xx answer of an API server to these verbs is the object
}

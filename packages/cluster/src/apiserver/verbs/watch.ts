// A watch: the present state if asked for, then every change after a version, in order, until either side ends it.
import type { KubeObject } from '@fairlead/kube/object';
import { badRequest, gone, type StatusError } from '../../objects/index.ts';
import type { Stored, StoreEvent } from '../../storage/index.ts';
import type { Answer, Call, ServerDeps } from '../call.ts';
import { apiVersionOf, partialMetadata, storedJson, table } from '../forms.ts';
import { type Selection, selectionOf } from '../selection.ts';

type EventType = StoreEvent['type'];

/** A reader that lets more than this pile up is cut. */
const maxBufferedBytes = 16 * 1024 * 1024;
const defaultTimeoutSeconds = 1800;

export async function watchObjects(call: Call, deps: ServerDeps): Promise<Answer> {
  const all = selectionOf(call.type, call.namespace, call.query);
  const { name } = call;
  const selection: Selection =
    name === ''
      ? all
      : { ...all, isAll: false, matches: (object) => object.metadata.name === name && all.matches(object) };
  const watch = new Watch(call, deps, selection);
  await watch.start();
  return 'streamed';
}

class Watch {
  readonly #call: Call;
  readonly #deps: ServerDeps;
  readonly #selection: Selection;
  #lastRevision = 0;
  #hasHeadings = false;
  /** Lines of this turn of the event loop: they go out together. */
  #lines: Buffer[] = [];
  #unsubscribe: (() => void) | undefined;
  #cancelTimeout: (() => void) | undefined;

  constructor(call: Call, deps: ServerDeps, selection: Selection) {
    this.#call = call;
    this.#deps = deps;
    this.#selection = selection;
  }

  async start(): Promise<void> {
    const { query, response, type } = this.#call;
    const { objects, watches, clock, signal } = this.#deps;
    const { store } = objects;
    const since = query.get('resourceVersion') ?? '';
    const from = since === '' ? 0 : Number(since);
    if (!Number.isInteger(from) || from < 0)
      throw badRequest(`Invalid value: ${JSON.stringify(since)}: resourceVersion`);
    const sendsInitial =
      query.get('sendInitialEvents') === 'true' || (from === 0 && query.get('sendInitialEvents') !== 'false');
    if (sendsInitial) await store.settled(store.collection(type.storageKey).latestRevision);
    response.writeHead(200, {
      'content-type': 'application/json',
      'cache-control': 'no-cache, private',
      'transfer-encoding': 'chunked',
    });
    response.flushHeaders();
    // From here on nothing waits, so no change can fall between the state that was sent and the subscription.
    if (sendsInitial) this.#sendPresent();
    else if (!this.#sendMissed(from)) return;
    this.#unsubscribe = store.subscribe(type.storageKey, (event) => this.#onEvent(event));
    watches.add(this);
    const seconds = Number(query.get('timeoutSeconds') ?? 0) || defaultTimeoutSeconds;
    this.#cancelTimeout = clock.after(seconds * 1000, () => this.end());
    response.on('close', () => this.end());
    if (signal.aborted) this.end();
  }

  sendBookmark(): void {
    if (this.#call.query.get('allowWatchBookmarks') !== 'true') return;
    this.#writeBookmark(this.#deps.objects.store.durableRevision);
  }

  end(): void {
    this.#unsubscribe?.();
    this.#cancelTimeout?.();
    this.#deps.watches.remove(this);
    this.#flush();
    if (!this.#call.response.writableEnded) this.#call.response.end();
  }

  #sendPresent(): void {
    const { query, type } = this.#call;
    const { store } = this.#deps.objects;
    const { namespace } = this.#selection;
    this.#lastRevision = store.durableRevision;
    for (const stored of store.collection(type.storageKey).scan({ namespace })) {
      // What is not on disk yet comes as a change of its own.
      if (stored.revision > this.#lastRevision) continue;
      if (this.#selection.isAll || this.#selection.matches(stored.object)) this.#writeObject('ADDED', stored);
    }
    if (query.get('sendInitialEvents') !== 'true' || query.get('allowWatchBookmarks') !== 'true') return;
    this.#writeBookmark(this.#lastRevision, { 'k8s.io/initial-events-end': 'true' });
  }

  #sendMissed(from: number): boolean {
    const { type, response } = this.#call;
    const { store } = this.#deps.objects;
    // A version from the future is a version of another life of this cluster: only a fresh list is safe.
    const missed = from > store.revision ? undefined : store.changesAfter(type.storageKey, from);
    if (missed === undefined) {
      response.end(errorLine(gone(`too old resource version: ${from}`)));
      return false;
    }
    this.#lastRevision = from;
    for (const event of missed) this.#onEvent(event);
    return true;
  }

  #onEvent(event: StoreEvent): void {
    if (event.revision <= this.#lastRevision) return;
    this.#lastRevision = event.revision;
    const { namespace, isAll, matches } = this.#selection;
    if (namespace !== undefined && event.stored.object.metadata.namespace !== namespace) return;
    if (isAll) {
      this.#writeEvent(event.type, event);
      return;
    }
    const isIn = event.type !== 'DELETED' && matches(event.stored.object);
    const wasIn = event.previous !== undefined && matches(event.previous.object);
    if (isIn) this.#writeEvent(wasIn ? 'MODIFIED' : 'ADDED', event);
    else if (wasIn && event.previous) this.#writeDeparture(event, event.previous);
  }

  /** What leaves the selection is shown as it last was in it, under the version of the change. */
  #writeDeparture(event: StoreEvent, previous: Stored): void {
    if (event.type === 'DELETED') {
      this.#writeEvent('DELETED', event);
      return;
    }
    const metadata = { ...previous.object.metadata, resourceVersion: String(event.revision) };
    const object = { ...previous.object, metadata };
    this.#writeObject('DELETED', { ...previous, object, json: Buffer.from(JSON.stringify(object)) });
  }

  #writeEvent(type: EventType, event: StoreEvent): void {
    const { accepted } = this.#call;
    if (accepted.form !== 'json') {
      this.#writeObject(type, event.stored);
      return;
    }
    const key = `${type} ${apiVersionOf(this.#call.type)}`;
    let line = event.encoded.get(key);
    if (!line) {
      line = eventLine(type, storedJson(event.stored, this.#call.type));
      event.encoded.set(key, line);
    }
    this.#write(line);
  }

  #writeObject(type: EventType, stored: Stored): void {
    this.#write(eventLine(type, this.#encode(stored)));
  }

  #encode(stored: Stored): Buffer {
    const { accepted, type, query } = this.#call;
    if (accepted.form === 'json') return storedJson(stored, type);
    if (accepted.form === 'metadata') return Buffer.from(JSON.stringify(partialMetadata(stored.object)));
    const metadata = { resourceVersion: stored.object.metadata.resourceVersion };
    const withHeadings = !this.#hasHeadings;
    this.#hasHeadings = true;
    const options = { nowMs: this.#deps.clock.now(), include: query.get('includeObject'), metadata, withHeadings };
    return Buffer.from(JSON.stringify(table(type, [stored.object], options)));
  }

  #writeBookmark(revision: number, annotations?: Record<string, string>): void {
    const { type, accepted } = this.#call;
    const metadata = {
      resourceVersion: String(revision),
      creationTimestamp: null,
      ...(annotations ? { annotations } : {}),
    };
    const object = { kind: type.kind, apiVersion: apiVersionOf(type), metadata };
    const nowMs = this.#deps.clock.now();
    const body =
      accepted.form === 'table'
        ? table(type, [], {
            nowMs,
            include: 'None',
            metadata: { resourceVersion: String(revision) },
            withHeadings: false,
          })
        : accepted.form === 'metadata'
          ? partialMetadata(object as unknown as KubeObject) // a bookmark has no name, and needs none here
          : object;
    this.#write(Buffer.from(`{"type":"BOOKMARK","object":${JSON.stringify(body)}}\n`));
  }

  #write(line: Buffer): void {
    if (this.#lines.length === 0) setImmediate(() => this.#flush());
    this.#lines.push(line);
  }

  #flush(): void {
    const lines = this.#lines;
    const { response } = this.#call;
    if (lines.length === 0 || response.destroyed || response.writableEnded) return;
    this.#lines = [];
    if (response.writableLength > maxBufferedBytes) {
      this.#deps.watches.cutCount++;
      response.destroy();
      return;
    }
    response.write(this.#deps.watches.joined(lines));
  }
}

function eventLine(type: EventType, json: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`{"type":"${type}","object":`), json, Buffer.from('}\n')]);
}

const errorLine = (error: StatusError) => `${JSON.stringify({ type: 'ERROR', object: error.toStatus() })}\n`;

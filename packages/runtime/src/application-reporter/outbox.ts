// What the platform has not taken yet. Per object the newest state wins; the result of a finished operation and a
// deletion are never replaced before they were sent. One batch is under way at a time, so that order is kept; a batch
// that was not acknowledged is sent again until it is. Contents that the platform is known to hold are left out; it
// names the ones it lacks.
import { backoffDelay, type Clock, errorMessage, type Logger, sleep } from '@fairlead/base';
import { ApiError, type ReportBatch, type ReportedObject, type ReportReceipt } from '@fairlead/contracts';
import { LruSet } from './lru-set.ts';
import type { ReporterMetrics } from './metrics.ts';

export interface OutgoingReport {
  readonly object: ReportedObject;
  readonly contents: ReadonlyMap<string, unknown>;
}

interface OutboxOptions {
  readonly reporter: string;
  /** Rejects when the batch was not taken. */
  readonly send: (batch: ReportBatch, options: { readonly signal: AbortSignal }) => Promise<ReportReceipt>;
  readonly metrics: ReporterMetrics;
  readonly log: Logger;
  readonly clock: Clock;
  /** After a batch went through that had failed before: something may have been missed. */
  readonly onRecovered: () => void;
}

/** Changes come in bursts: the first of one waits a moment for its companions, those behind it a little longer. */
const lingerMs = { first: 5, following: 30 };
const burstMs = 200;
const maxObjects = 100;
const maxBytes = 1024 * 1024;
/** States per object that may wait because none may replace another; at the bound the oldest is given up and counted. */
const maxPerKey = 10;
const rememberedContents = 100_000;

export class Outbox {
  readonly #options: OutboxOptions;
  readonly #waiting = new Map<string, OutgoingReport[]>();
  readonly #held = new LruSet<string>(rememberedContents);
  #wake: () => void = () => undefined;
  #inFlight = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  get size(): number {
    let size = this.#inFlight;
    for (const waiting of this.#waiting.values()) size += waiting.length;
    return size;
  }

  add(report: OutgoingReport): void {
    const id = `${report.object.kind} ${report.object.key}`;
    const waiting = this.#waiting.get(id) ?? [];
    const last = waiting.at(-1);
    if (last && mayReplace(last.object, report.object)) {
      waiting.pop();
      this.#options.metrics.coalesced.inc();
    }
    waiting.push(report);
    if (waiting.length > maxPerKey) {
      waiting.shift();
      this.#options.metrics.coalesced.inc();
    }
    this.#waiting.set(id, waiting);
    this.#wake();
  }

  async run({ signal }: { signal: AbortSignal }): Promise<void> {
    const { clock } = this.#options;
    let lastSentMs = Number.NEGATIVE_INFINITY;
    signal.addEventListener('abort', () => this.#wake(), { once: true });
    while (!signal.aborted) {
      if (this.#waiting.size === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      const isBurst = clock.monotonic() - lastSentMs < burstMs;
      await sleep(isBurst ? lingerMs.following : lingerMs.first, { signal, clock }).catch(() => undefined); // the loop condition sees the abort
      const batch = this.#takeBatch();
      this.#inFlight = batch.length;
      await this.#deliver(batch, signal);
      this.#inFlight = 0;
      lastSentMs = clock.monotonic();
    }
  }

  /** The oldest state of each object, in order of waiting, up to the limits of a batch. */
  #takeBatch(): OutgoingReport[] {
    const batch: OutgoingReport[] = [];
    let sizeBytes = 0;
    for (const [id, waiting] of [...this.#waiting]) {
      const [first] = waiting;
      if (!first) continue;
      sizeBytes += this.#sizeOf(first);
      if (batch.length > 0 && (batch.length >= maxObjects || sizeBytes > maxBytes)) break;
      batch.push(first);
      waiting.shift();
      this.#waiting.delete(id);
      // What still waits goes behind the others.
      if (waiting.length > 0) this.#waiting.set(id, waiting);
    }
    return batch;
  }

  #sizeOf({ object, contents }: OutgoingReport): number {
    let sizeBytes = JSON.stringify(object).length;
    for (const [hash, body] of contents) if (!this.#held.has(hash)) sizeBytes += JSON.stringify(body).length;
    return sizeBytes;
  }

  async #deliver(batch: readonly OutgoingReport[], signal: AbortSignal): Promise<void> {
    const { metrics, log, clock, onRecovered } = this.#options;
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        await this.#sendWithContents(batch, signal);
        if (attempt > 0) onRecovered();
        return;
      } catch (error) {
        if (signal.aborted) return;
        metrics.sendFailures.inc();
        if (isRefusedForGood(error)) return this.#deliverParts(batch, { error, signal });
        const delayMs = backoffDelay(attempt, { baseMs: 200, maxMs: 15_000 });
        if (attempt === 0) log.warn({ error: errorMessage(error) }, 'the platform did not take a report, will retry');
        await sleep(delayMs, { signal, clock }).catch(() => undefined); // the loop condition sees the abort
      }
    }
  }

  /** The platform will never take this batch: find the object it is about, and give up that one only. */
  async #deliverParts(
    batch: readonly OutgoingReport[],
    { error, signal }: { error: unknown; signal: AbortSignal },
  ): Promise<void> {
    if (batch.length <= 1) {
      const [only] = batch;
      this.#options.metrics.sent.inc({ outcome: 'refused' });
      this.#options.log.error({ key: only?.object.key, error: errorMessage(error) }, 'the platform refuses a report');
      return;
    }
    const half = Math.ceil(batch.length / 2);
    await this.#deliver(batch.slice(0, half), signal);
    await this.#deliver(batch.slice(half), signal);
  }

  async #sendWithContents(batch: readonly OutgoingReport[], signal: AbortSignal): Promise<void> {
    const { missingContents } = await this.#sendOnce(batch, signal);
    if (missingContents.length === 0) return;
    for (const hash of missingContents) this.#held.delete(hash);
    const missing = new Set(missingContents);
    const naming = batch.filter(({ contents }) => [...contents.keys()].some((hash) => missing.has(hash)));
    if (naming.length > 0) await this.#sendOnce(naming, signal);
  }

  async #sendOnce(batch: readonly OutgoingReport[], signal: AbortSignal): Promise<ReportReceipt> {
    const { reporter, send, metrics, log, clock } = this.#options;
    const contents: Record<string, unknown> = {};
    for (const report of batch) {
      for (const [hash, body] of report.contents) if (!this.#held.has(hash)) contents[hash] = body;
    }
    const startedMs = clock.monotonic();
    const receipt = await send({ reporter, objects: batch.map(({ object }) => object), contents }, { signal });
    metrics.sendSeconds.observe((clock.monotonic() - startedMs) / 1000);
    for (const hash of Object.keys(contents)) this.#held.add(hash);
    metrics.sent.inc({ outcome: 'applied' }, receipt.applied);
    metrics.sent.inc({ outcome: 'ignored' }, receipt.ignored);
    metrics.sent.inc({ outcome: 'quarantined' }, receipt.quarantined.length);
    for (const { key, reason } of receipt.quarantined) log.error({ key, reason }, 'the platform cannot read a report');
    return receipt;
  }
}

const isRefusedForGood = (error: unknown) => error instanceof ApiError && [400, 413, 415, 422].includes(error.status);

/** Newest wins, except that a deletion and the result of a finished operation must be seen. */
function mayReplace(waiting: ReportedObject, next: ReportedObject): boolean {
  if ('deleted' in waiting) return false;
  if (!('application' in waiting)) return true;
  const { operation } = waiting.application;
  if (operation?.finishedAt === undefined) return true;
  // The same operation is in the next report too, so its result is not lost.
  return 'application' in next && next.application.operation?.startedAt === operation.startedAt;
}

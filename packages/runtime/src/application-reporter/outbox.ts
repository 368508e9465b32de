// What the platform has not taken yet. Per object the newest state wins; the result of a finished operation and a
// deletion are never replaced before they were sent, and lie on disk (spool) until then: of those behind one another only
// the newest is in memory. One batch is under way at a time, so that order is kept; a batch
// that was not acknowledged is sent again until it is. Contents that the platform is known to hold are left out; it
// names the ones it lacks.
import { BoundedCache, backoffDelay, type Clock, errorMessage, type Logger, type Random, sleep } from '@fairlead/base';
import { ApiError, type ReportBatch, type ReportedObject, type ReportReceipt } from '@fairlead/contracts';
import type { ReporterMetrics } from './metrics.ts';
import type { Spool } from './spool.ts';

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
  readonly random?: Random;
  /** After a batch went through that had failed before: something may have been missed. */
  readonly onRecovered: () => void;
  /** Without it everything is in memory only, and at most `maxPerKey` states of an object wait. */
  readonly spool?: Spool | undefined;
}

/** A state that waits: in memory, on disk, or both. */
interface Waiting {
  report: OutgoingReport | undefined;
  readonly ticket: number | undefined;
}

type ReadyToSend = Waiting & { readonly report: OutgoingReport };

/** Changes come in bursts: the first of one waits a moment for its companions, those behind it a little longer. */
const lingerMs = { first: 5, following: 30 };
const burstMs = 200;
const maxObjects = 100;
const maxBytes = 1024 * 1024;
/** States per object that may wait in memory because none may replace another; at the bound the oldest is given up and
 * counted. Those on disk do not count. */
const maxPerKey = 10;
const rememberedContents = 100_000;

export class Outbox {
  readonly #options: OutboxOptions;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #held = new BoundedCache<string, true>(rememberedContents);
  #wake: () => void = () => undefined;
  #inFlight = 0;
  #waitingCount = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
    for (const ticket of options.spool?.tickets() ?? []) this.#restore(ticket);
  }

  /** Of an earlier life of the reporter: goes out before anything newer of the same object. */
  #restore(ticket: number): void {
    const { spool } = this.#options;
    const report = spool?.read(ticket);
    if (!report) return;
    const id = idOf(report);
    const waiting = this.#waiting.get(id) ?? [];
    demote(waiting);
    waiting.push({ report, ticket });
    this.#waitingCount++;
    this.#waiting.set(id, waiting);
  }

  get size(): number {
    return this.#inFlight + this.#waitingCount;
  }

  add(report: OutgoingReport): void {
    const { spool, metrics } = this.#options;
    const id = idOf(report);
    const waiting = this.#waiting.get(id) ?? [];
    const last = waiting.at(-1);
    const lastObject = last?.report?.object;
    const ticket = mustBeSeen(report.object) ? spool?.put(report) : undefined;
    if (last && lastObject && mayReplace(lastObject, report.object)) {
      waiting.pop();
      this.#waitingCount--;
      metrics.coalesced.inc();
      if (last.ticket !== undefined) spool?.drop(last.ticket);
    }
    demote(waiting);
    waiting.push({ report, ticket });
    this.#waitingCount++;
    this.#boundMemory(waiting);
    metrics.spoolBytes.set(spool?.sizeBytes ?? 0);
    this.#waiting.set(id, waiting);
    this.#wake();
  }

  #boundMemory(waiting: Waiting[]): void {
    const inMemory = waiting.filter(({ ticket }) => ticket === undefined);
    const [oldest] = inMemory;
    if (!oldest || inMemory.length <= maxPerKey) return;
    waiting.splice(waiting.indexOf(oldest), 1);
    this.#waitingCount--;
    this.#options.metrics.givenUp.inc();
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
      const reports = batch.map(({ report }) => report);
      await this.#deliver(reports, signal);
      if (!signal.aborted) this.#forget(batch);
      this.#inFlight = 0;
      lastSentMs = clock.monotonic();
    }
  }

  /** What waits, object by object in order of waiting and oldest first, up to the limits of a batch. */
  #takeBatch(): ReadyToSend[] {
    const batch: ReadyToSend[] = [];
    let sizeBytes = 0;
    for (const [id, waiting] of [...this.#waiting]) {
      for (let first = waiting[0]; first; first = waiting[0]) {
        const report = first.report ?? this.#fromDisk(first);
        sizeBytes += report ? this.#sizeOf(report) : 0;
        if (batch.length > 0 && (batch.length >= maxObjects || sizeBytes > maxBytes)) return batch;
        if (report) batch.push({ ...first, report });
        waiting.shift();
        this.#waitingCount--;
        this.#waiting.delete(id);
        // What still waits when the batch is full goes behind the others.
        if (waiting.length > 0) this.#waiting.set(id, waiting);
      }
    }
    return batch;
  }

  #fromDisk({ ticket }: Waiting): OutgoingReport | undefined {
    const { spool, metrics, log } = this.#options;
    const report = ticket === undefined ? undefined : spool?.read(ticket);
    if (report) return report;
    metrics.givenUp.inc();
    log.error({ ticket }, 'a report could not be read back from the spool');
    return undefined;
  }

  /** Taken by the platform, or refused by it for good. */
  #forget(batch: readonly Waiting[]): void {
    const { spool, metrics } = this.#options;
    for (const { ticket } of batch) if (ticket !== undefined) spool?.drop(ticket);
    metrics.spoolBytes.set(spool?.sizeBytes ?? 0);
  }

  #sizeOf({ object, contents }: OutgoingReport): number {
    let sizeBytes = JSON.stringify(object).length;
    for (const [hash, body] of contents) if (!this.#held.get(hash)) sizeBytes += JSON.stringify(body).length;
    return sizeBytes;
  }

  async #deliver(batch: readonly OutgoingReport[], signal: AbortSignal): Promise<void> {
    const { metrics, log, clock, random = Math.random, onRecovered } = this.#options;
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        await this.#sendWithContents(batch, signal);
        if (attempt > 0) onRecovered();
        return;
      } catch (error) {
        if (signal.aborted) return;
        metrics.sendFailures.inc();
        if (isRefusedForGood(error)) return this.#deliverParts(batch, { error, signal });
        const delayMs = backoffDelay(attempt, { baseMs: 200, maxMs: 15_000, random });
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
      for (const [hash, body] of report.contents) if (!this.#held.get(hash)) contents[hash] = body;
    }
    const startedMs = clock.monotonic();
    const receipt = await send({ reporter, objects: batch.map(({ object }) => object), contents }, { signal });
    metrics.sendSeconds.observe((clock.monotonic() - startedMs) / 1000);
    for (const hash of Object.keys(contents)) this.#held.set(hash, true);
    metrics.sent.inc({ outcome: 'applied' }, receipt.applied);
    metrics.sent.inc({ outcome: 'ignored' }, receipt.ignored);
    metrics.sent.inc({ outcome: 'quarantined' }, receipt.quarantined.length);
    for (const { key, reason } of receipt.quarantined) log.error({ key, reason }, 'the platform cannot read a report');
    return receipt;
  }
}

const isRefusedForGood = (error: unknown) => error instanceof ApiError && [400, 413, 415, 422].includes(error.status);

const idOf = ({ object }: OutgoingReport) => `${object.kind} ${object.key}`;

/** What is on disk and not the newest needs no memory. */
function demote(waiting: readonly Waiting[]): void {
  const last = waiting.at(-1);
  if (last && last.ticket !== undefined) last.report = undefined;
}

/** A deletion and the result of a finished operation. */
function mustBeSeen(object: ReportedObject): boolean {
  if ('deleted' in object) return true;
  return 'application' in object && object.application.operation?.finishedAt !== undefined;
}

/** Newest wins, except that what must be seen is. */
function mayReplace(waiting: ReportedObject, next: ReportedObject): boolean {
  if (!mustBeSeen(waiting)) return true;
  if ('deleted' in waiting || !('application' in waiting)) return false;
  // The same operation is in the next report too, so its result is not lost.
  return 'application' in next && next.application.operation?.startedAt === waiting.application.operation?.startedAt;
}

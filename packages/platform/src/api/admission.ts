// Who may ask how often: a bucket per user (all sessions and keys together) and per runtime, so that one cannot take the
// platform from the others. And how many batches of reports are taken in at once: fewer than there are connections to the
// database, so that people are answered while a thousand runtimes report; some more wait here, before their bodies are
// read, and beyond that the runtime is told to come later and keeps what it has. Per process, forgotten at a restart.
import { type Clock, Counter, Gauge, type Registry } from '@fairlead/base';
import { Attempts } from '../auth/index.ts';
import { ApiFailure } from './failure.ts';
import { Turns } from './turns.ts';

export interface AdmissionLimits {
  readonly requestsPerMinute: number;
  readonly reportsPerMinute: number;
  readonly databaseConnections: number;
}

/** A page that opens asks a dozen things at once, a script hundreds. */
const burstSeconds = 15;
/** A reporter has one batch under way; a runtime may have several reporters. */
const maxBatchesPerRuntime = 32;
/** One that waits is an open request whose body was not read. */
const maxBatches = 1_000;

type Asking = { readonly kind: 'user' | 'runtime'; readonly id: string };

export class Admission {
  readonly #buckets: Readonly<Record<Asking['kind'], Attempts>>;
  readonly #turns: Turns;
  readonly #underWay = new Map<string, number>();
  readonly #limited: Counter;
  readonly #batches: Gauge;
  #total = 0;

  constructor(limits: AdmissionLimits, { clock, registry }: { readonly clock: Clock; readonly registry: Registry }) {
    const bucket = (perMinute: number) =>
      new Attempts({ clock, perMinute, burst: Math.ceil((perMinute / 60) * burstSeconds) });
    this.#buckets = { user: bucket(limits.requestsPerMinute), runtime: bucket(limits.reportsPerMinute) };
    // A batch holds its connection from the first statement to the commit.
    const atOnce = Math.max(2, Math.floor(limits.databaseConnections / 2));
    this.#turns = new Turns({ atOnce, perKey: Math.ceil(atOnce / 2) });
    this.#limited = new Counter({
      name: 'fairlead_rate_limited_total',
      help: 'Requests that were told to come later: by whom, and why (rate, busy)',
      labelNames: ['caller', 'reason'],
      registers: [registry],
    });
    this.#batches = new Gauge({
      name: 'fairlead_ingest_batches_under_way',
      help: 'Batches of reports that are being read and stored, or wait for their turn',
      registers: [registry],
    });
  }

  /** Throws `too_many_requests` with `details.retryAfterSeconds`. */
  take({ kind, id }: Asking): void {
    try {
      this.#buckets[kind].take(id);
    } catch (error) {
      this.#limited.inc({ caller: kind, reason: 'rate' });
      throw error;
    }
  }

  /** Also before anybody asks who it is: that alone costs more than a refusal. */
  refuseWhenFull(): void {
    if (this.#total >= maxBatches) throw this.#busy();
  }

  #busy(): ApiFailure {
    this.#limited.inc({ caller: 'runtime', reason: 'busy' });
    return new ApiFailure('too_many_requests', 'too many batches are under way; send this one again in a moment', {
      retryAfterSeconds: 1,
    });
  }

  /** Runs the work in its turn, when there is room for one more batch of this runtime. */
  async takeIn<T>(runtimeId: string, work: () => Promise<T>): Promise<T> {
    this.refuseWhenFull();
    if ((this.#underWay.get(runtimeId) ?? 0) >= maxBatchesPerRuntime) throw this.#busy();
    this.#count(runtimeId, 1);
    try {
      return await this.#turns.inTurn(runtimeId, work);
    } finally {
      this.#count(runtimeId, -1);
    }
  }

  #count(runtimeId: string, by: 1 | -1): void {
    const own = (this.#underWay.get(runtimeId) ?? 0) + by;
    if (own === 0) this.#underWay.delete(runtimeId);
    else this.#underWay.set(runtimeId, own);
    this.#total += by;
    this.#batches.set(this.#total);
  }
}

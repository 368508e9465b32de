// Who may ask how often: a bucket per user (all sessions and keys together) and per runtime, so that one cannot take the
// platform from the others. And how many batches of reports are taken in at once: beyond that the runtime is told to wait,
// before its body is read, and keeps what it has. Buckets are per process and forgotten at a restart.
import { type Clock, Counter, Gauge, type Registry } from '@fairlead/base';
import { Attempts } from '../auth/index.ts';
import { ApiFailure } from './failure.ts';

export interface AdmissionLimits {
  readonly requestsPerMinute: number;
  readonly reportsPerMinute: number;
}

/** A page that opens asks a dozen things at once, a script hundreds. */
const burstSeconds = 15;
/** A reporter has one batch under way; a runtime may have several reporters. */
const maxBatchesPerRuntime = 32;
const maxBatches = 128;

type Asking = { readonly kind: 'user' | 'runtime'; readonly id: string };

export class Admission {
  readonly #buckets: Readonly<Record<Asking['kind'], Attempts>>;
  readonly #underWay = new Map<string, number>();
  readonly #limited: Counter;
  readonly #batches: Gauge;
  #total = 0;

  constructor(limits: AdmissionLimits, { clock, registry }: { readonly clock: Clock; readonly registry: Registry }) {
    const bucket = (perMinute: number) =>
      new Attempts({ clock, perMinute, burst: Math.ceil((perMinute / 60) * burstSeconds) });
    this.#buckets = { user: bucket(limits.requestsPerMinute), runtime: bucket(limits.reportsPerMinute) };
    this.#limited = new Counter({
      name: 'fairlead_rate_limited_total',
      help: 'Requests that were told to come later: by whom, and why (rate, busy)',
      labelNames: ['caller', 'reason'],
      registers: [registry],
    });
    this.#batches = new Gauge({
      name: 'fairlead_ingest_batches_under_way',
      help: 'Batches of reports that are being read and stored',
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

  /** Runs the work when there is room for one more batch of this runtime. */
  async takeIn<T>(runtimeId: string, work: () => Promise<T>): Promise<T> {
    const own = this.#underWay.get(runtimeId) ?? 0;
    if (own >= maxBatchesPerRuntime || this.#total >= maxBatches) {
      this.#limited.inc({ caller: 'runtime', reason: 'busy' });
      throw new ApiFailure('too_many_requests', 'too many batches are under way; send this one again in a moment', {
        retryAfterSeconds: 1,
      });
    }
    this.#count(runtimeId, 1);
    try {
      return await work();
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

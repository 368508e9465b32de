// One of many leads: who holds a Lease and renews it. Promises: `lead` runs in one process at a time as long as clocks run
// equally fast; its signal aborts before another can take over. A process that was paused finds out by `assertOurs`, which
// compares the lease's deadline with a monotonic clock: asked before a write, it stops every write but those already sent.
import { type Clock, errorMessage, isAbortError, type Logger, silentLogger, sleep, systemClock } from '@fairlead/base';
import { isAlreadyExists, isConflict, isNotFound, type KubeClient } from '../client/index.ts';
import { type KubeObject, numberAt, recordAt, stringAt } from '../object/index.ts';

/** One stretch of leading. */
export interface Term {
  /** Aborts when the term ends, whoever ends it. */
  readonly signal: AbortSignal;
  /** Grows with every new leader. */
  readonly transitions: number;
  /** Throws, and ends the term, from the moment on when another may lead. */
  readonly assertOurs: () => void;
}

export interface LeaderElectionOptions {
  readonly client: Pick<KubeClient, 'get' | 'create' | 'update'>;
  readonly namespace: string;
  readonly name: string;
  /** Of this process; no other may have it. */
  readonly identity: string;
  readonly lead: (term: Term) => Promise<void>;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly log?: Logger;
  /** How long a lease holds without being renewed; default 15 s. */
  readonly leaseMs?: number;
  /** The leader steps down when it could not renew for this long; default 10 s. */
  readonly renewWithinMs?: number;
  /** Between two renewals, and between two looks of those who wait; default as `retryMs`. */
  readonly renewMs?: number;
  /** Between two tries to renew that failed; default 2 s. */
  readonly retryMs?: number;
  /** Told who holds the lease whenever that was looked up. */
  readonly onHolder?: (identity: string) => void;
}

/** What `assertOurs` throws; an abort, not a failure. */
class LeaseLostError extends Error {
  constructor(lease: string) {
    super(`the lease ${lease} was lost: another may lead`);
    this.name = 'AbortError';
  }
}

/** Resolves when the signal aborts, with the lease given back; rejects with what `lead` rejects with. */
export async function runLeaderElection(options: LeaderElectionOptions): Promise<void> {
  const election = new Election(options);
  while (!options.signal.aborted) {
    const transitions = await election.acquire();
    if (transitions !== undefined) await election.serve(transitions);
  }
}

class Election {
  readonly #options: LeaderElectionOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #times: { leaseMs: number; renewWithinMs: number; renewMs: number; retryMs: number };
  /** The record last seen and when: others' clocks are not compared with ours, only how long nothing has changed. */
  #seen: { version: string; expiresMs: number } | undefined;
  /** The lease as we last wrote it: as long as nobody else has, renewing it is one request. */
  #own: KubeObject | undefined;
  #isOthers: boolean = false;
  /** Counted from before the request that renewed was sent, so that it ends before anybody else's patience does. */
  #heldUntilMs = 0;

  constructor(options: LeaderElectionOptions) {
    const { leaseMs = 15_000, renewWithinMs = 10_000, retryMs = 2000, renewMs = retryMs } = options;
    if (!(leaseMs > renewWithinMs && renewWithinMs > renewMs && renewMs >= retryMs)) {
      throw new RangeError('leaseMs > renewWithinMs > renewMs >= retryMs must hold');
    }
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log ?? silentLogger;
    this.#times = { leaseMs, renewWithinMs, renewMs, retryMs };
  }

  /** undefined when the signal aborted first. */
  async acquire(): Promise<number | undefined> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      const transitions = await this.#try(this.#times.renewWithinMs);
      if (transitions !== undefined) return transitions;
      const untilExpiredMs = (this.#seen?.expiresMs ?? 0) - this.#clock.monotonic() + 1;
      const { renewMs, retryMs } = this.#times;
      await this.#pause(this.#isOthers && untilExpiredMs > 0 ? Math.min(renewMs, untilExpiredMs) : retryMs, signal);
    }
    return undefined;
  }

  async serve(transitions: number): Promise<void> {
    const { lead, signal, identity, name } = this.#options;
    const term = new AbortController();
    const end = () => term.abort(signal.reason);
    if (signal.aborted) end(); // while the lease was being taken
    signal.addEventListener('abort', end, { once: true });
    const assertOurs = () => {
      if (!term.signal.aborted && this.#clock.monotonic() >= this.#heldUntilMs) this.#lose(term);
      term.signal.throwIfAborted();
    };
    this.#log.info({ lease: name, identity, transitions }, 'leads');
    const renewing = this.#renewUntilLost(term);
    try {
      await lead({ signal: term.signal, transitions, assertOurs });
    } catch (error) {
      if (!(term.signal.aborted && isAbortError(error))) throw error;
    } finally {
      signal.removeEventListener('abort', end);
      term.abort();
      await renewing;
      await this.#release();
    }
  }

  #lose(term: AbortController): void {
    this.#log.warn({ lease: this.#options.name }, 'lost the lease');
    term.abort(new LeaseLostError(this.#options.name));
  }

  async #renewUntilLost(term: AbortController): Promise<void> {
    const { renewMs, retryMs } = this.#times;
    const leftMs = () => Math.max(0, this.#heldUntilMs - this.#clock.monotonic());
    for (let pauseMs = renewMs; !term.signal.aborted; ) {
      await this.#pause(Math.min(pauseMs, leftMs()), term.signal);
      if (term.signal.aborted) return;
      // A process that was paused wakes up here, and must not take for its own what others may hold.
      if (leftMs() === 0) return this.#lose(term);
      const isRenewed = (await this.#try(leftMs())) !== undefined;
      if (!isRenewed && this.#isOthers) return this.#lose(term);
      pauseMs = isRenewed ? renewMs : retryMs;
    }
  }

  /** The term's number when the lease is (still or newly) ours; never rejects, and ends in time. */
  async #try(withinMs: number): Promise<number | undefined> {
    const sentMs = this.#clock.monotonic();
    const ask = async (signal: AbortSignal) => (await this.#renew(signal)) ?? (await this.#takeOrRenew(signal));
    try {
      const transitions = await this.#within(withinMs, ask);
      if (transitions !== undefined) this.#heldUntilMs = sentMs + this.#times.renewWithinMs;
      return transitions;
    } catch (error) {
      if (!isConflict(error) && !isAlreadyExists(error)) {
        this.#log.warn({ lease: this.#options.name, error: errorMessage(error) }, 'cannot ask for the lease');
      }
      return undefined;
    }
  }

  async #within<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController();
    const cancel = this.#clock.after(ms, () => late.abort(new Error(`no answer within ${Math.round(ms)} ms`)));
    try {
      return await work(late.signal);
    } finally {
      cancel();
    }
  }

  /** undefined when the lease is not as we have left it. */
  async #renew(signal: AbortSignal): Promise<number | undefined> {
    const own = this.#own;
    if (!own) return undefined;
    this.#own = undefined;
    const transitions = numberAt(own, 'spec', 'leaseTransitions') ?? 0;
    try {
      await this.#write({ ...own, spec: this.#spec(recordAt(own, 'spec'), transitions) }, signal);
      return transitions;
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #write(lease: KubeObject, signal: AbortSignal): Promise<void> {
    this.#own = await this.#options.client.update(lease, { signal });
    this.#options.onHolder?.(this.#options.identity);
  }

  async #takeOrRenew(signal: AbortSignal): Promise<number | undefined> {
    const { client, namespace, name, identity } = this.#options;
    const ref = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', namespace, name };
    const present = await client.get(ref, { signal }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (!present) {
      const metadata = { name, namespace };
      const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: this.#spec({}, 0) };
      this.#own = await client.create(lease, { signal });
      this.#options.onHolder?.(identity);
      return 0;
    }
    const holder = stringAt(present, 'spec', 'holderIdentity') ?? '';
    const isOurs = holder === identity;
    this.#isOthers = !isOurs && holder !== '';
    if (this.#isOthers) this.#options.onHolder?.(holder);
    if (this.#isOthers && !this.#hasExpired(present)) return undefined;
    const before = numberAt(present, 'spec', 'leaseTransitions') ?? 0;
    const transitions = isOurs ? before : before + 1;
    const spec = this.#spec(isOurs ? recordAt(present, 'spec') : {}, transitions);
    await this.#write({ ...present, spec }, signal);
    this.#isOthers = false;
    return transitions;
  }

  #spec(before: Readonly<Record<string, unknown>>, leaseTransitions: number): Record<string, unknown> {
    const now = new Date(this.#clock.now()).toISOString().replace('Z', '000Z');
    return {
      acquireTime: now,
      ...before,
      holderIdentity: this.#options.identity,
      leaseDurationSeconds: Math.ceil(this.#times.leaseMs / 1000),
      leaseTransitions,
      renewTime: now,
    };
  }

  #hasExpired(lease: KubeObject): boolean {
    const version = lease.metadata.resourceVersion ?? '';
    const nowMs = this.#clock.monotonic();
    // The holder says how long it means to be waited for.
    const holdsMs = (numberAt(lease, 'spec', 'leaseDurationSeconds') ?? 0) * 1000;
    const expiresMs = nowMs + Math.max(holdsMs, this.#times.leaseMs);
    if (this.#seen?.version !== version) this.#seen = { version, expiresMs };
    return nowMs > this.#seen.expiresMs;
  }

  /** Gives the lease back so that the next need not wait; failing to only means that it does. */
  async #release(): Promise<void> {
    const { client, namespace, name, identity } = this.#options;
    const ref = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', namespace, name };
    this.#own = undefined;
    const giveBack = async (signal: AbortSignal) => {
      const present = await client.get(ref, { signal });
      if (stringAt(present, 'spec', 'holderIdentity') !== identity) return;
      const spec = { ...recordAt(present, 'spec'), holderIdentity: '', leaseDurationSeconds: 1 };
      await client.update({ ...present, spec }, { signal });
    };
    try {
      await this.#within(this.#times.renewWithinMs, giveBack);
    } catch (error) {
      this.#log.debug({ lease: name, error: errorMessage(error) }, 'the lease was not given back');
    }
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    await sleep(Math.max(0, ms), { signal, clock: this.#clock }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

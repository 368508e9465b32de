// One of many leads: who holds a Lease and renews it. Promises: `lead` runs in one process at a time as long as clocks run
// equally fast; its signal aborts before another can take over. It does not promise that a paused process stops in time:
// writes that must not be doubled carry `transitions`, which grows with every new leader.
import { type Clock, errorMessage, isAbortError, type Logger, silentLogger, sleep, systemClock } from '@fairlead/base';
import { isAlreadyExists, isConflict, isNotFound, type KubeClient } from '../client/index.ts';
import { type KubeObject, numberAt, recordAt, stringAt } from '../object/index.ts';

export interface LeaderElectionOptions {
  readonly client: Pick<KubeClient, 'get' | 'create' | 'update'>;
  readonly namespace: string;
  readonly name: string;
  /** Of this process; no other may have it. */
  readonly identity: string;
  readonly lead: (term: { readonly signal: AbortSignal; readonly transitions: number }) => Promise<void>;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly log?: Logger;
  /** How long a lease holds without being renewed; default 15 s. */
  readonly leaseMs?: number;
  /** The leader steps down when it could not renew for this long; default 10 s. */
  readonly renewWithinMs?: number;
  /** Between two tries; default 2 s. */
  readonly retryMs?: number;
}

/** Resolves when the signal aborts, with the lease given back; rejects with what `lead` rejects with. */
export async function runLeaderElection(options: LeaderElectionOptions): Promise<void> {
  const election = new Election(options);
  while (!options.signal.aborted) {
    const held = await election.acquire();
    if (held) await election.serve(held);
  }
}

interface Held {
  readonly transitions: number;
  /** When it was asked for: nobody else can take the lease sooner than `leaseMs` after this. */
  readonly askedMs: number;
}

class Election {
  readonly #options: LeaderElectionOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #times: { leaseMs: number; renewWithinMs: number; retryMs: number };
  /** The record last seen and when: others' clocks are not compared with ours, only how long nothing has changed. */
  #seen: { version: string; atMs: number } | undefined;

  constructor(options: LeaderElectionOptions) {
    const { leaseMs = 15_000, renewWithinMs = 10_000, retryMs = 2000 } = options;
    if (!(leaseMs > renewWithinMs && renewWithinMs > retryMs)) {
      throw new RangeError('leaseMs must be longer than renewWithinMs, and that longer than retryMs');
    }
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log ?? silentLogger;
    this.#times = { leaseMs, renewWithinMs, retryMs };
  }

  /** undefined when the signal aborted first. */
  async acquire(): Promise<Held | undefined> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      const held = await this.#try(this.#times.renewWithinMs);
      if (held) return held;
      await this.#pause(this.#times.retryMs, signal);
    }
    return undefined;
  }

  async serve({ transitions, askedMs }: Held): Promise<void> {
    const { lead, signal, identity, name } = this.#options;
    const term = new AbortController();
    const end = () => term.abort(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end(); // while the lease was being taken
    this.#log.info({ lease: name, identity, transitions }, 'leads');
    const renewing = this.#renewUntilLost(term, askedMs);
    try {
      await lead({ signal: term.signal, transitions });
    } catch (error) {
      if (!(term.signal.aborted && isAbortError(error))) throw error;
    } finally {
      signal.removeEventListener('abort', end);
      term.abort();
      await renewing;
      await this.#release();
    }
  }

  /** A renewal that hangs does not lengthen the term: the time counts from when the last good one was asked for. */
  async #renewUntilLost(term: AbortController, askedMs: number): Promise<void> {
    const { renewWithinMs, retryMs } = this.#times;
    let endMs = askedMs + renewWithinMs;
    const leftMs = () => Math.max(0, endMs - this.#clock.monotonic());
    while (!term.signal.aborted) {
      await this.#pause(Math.min(retryMs, leftMs()), term.signal);
      if (term.signal.aborted) return;
      const held = await this.#try(leftMs());
      if (held) endMs = held.askedMs + renewWithinMs;
      else if (this.#isOthers || leftMs() === 0) {
        this.#log.warn({ lease: this.#options.name }, 'lost the lease');
        term.abort(new Error('the lease was lost'));
      }
    }
  }

  #isOthers: boolean = false;

  /** Not undefined when the lease is (still or newly) ours; never rejects, and ends in time. */
  async #try(withinMs: number): Promise<Held | undefined> {
    const askedMs = this.#clock.monotonic();
    try {
      const transitions = await this.#within(withinMs, (signal) => this.#takeOrRenew(signal));
      return transitions === undefined ? undefined : { transitions, askedMs };
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
      await client.create(lease, { signal });
      return 0;
    }
    const holder = stringAt(present, 'spec', 'holderIdentity') ?? '';
    const isOurs = holder === identity;
    this.#isOthers = !isOurs && holder !== '';
    if (this.#isOthers && !this.#hasExpired(present)) return undefined;
    const before = numberAt(present, 'spec', 'leaseTransitions') ?? 0;
    const transitions = isOurs ? before : before + 1;
    const spec = this.#spec(isOurs ? recordAt(present, 'spec') : {}, transitions);
    await client.update({ ...present, spec }, { signal });
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
    if (this.#seen?.version !== version) this.#seen = { version, atMs: nowMs };
    // The holder says how long it means to be waited for.
    const holdsMs = (numberAt(lease, 'spec', 'leaseDurationSeconds') ?? 0) * 1000;
    return nowMs - this.#seen.atMs > Math.max(holdsMs, this.#times.leaseMs);
  }

  /** Gives the lease back so that the next need not wait; failing to only means that it does. */
  async #release(): Promise<void> {
    const { client, namespace, name, identity } = this.#options;
    const ref = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', namespace, name };
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
    await sleep(ms, { signal, clock: this.#clock }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}

// The identity as it is now. Components start before the runtime is registered; they wait here, and learn here when the
// identity is replaced.
import { type Clock, errorMessage, type Logger, sleep, systemClock } from '@fairlead/base';
import type { RuntimeIdentity } from '@fairlead/contracts';
import type { KubeClient } from '@fairlead/kube';
import { readIdentity } from './read-identity.ts';

interface WatchOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly log: Logger;
  readonly clock?: Clock;
}

const absentPollMs = 250;
const presentPollMs = 5_000;
const outOfTurnMs = 1_000;

export class IdentityWatch {
  readonly #options: WatchOptions;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #current: RuntimeIdentity | undefined;
  #lookedAtMs: number = Number.NEGATIVE_INFINITY;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  get current(): RuntimeIdentity | undefined {
    return this.#current;
  }

  async run({ signal }: { signal: AbortSignal }): Promise<void> {
    const { log, namespace } = this.#options;
    let said = '';
    while (!signal.aborted) {
      const problem = await this.#look(signal);
      if (problem !== said && problem !== '') log.info({ namespace, reason: problem }, 'waiting for the identity');
      said = problem;
      const waitMs = this.#current ? presentPollMs : absentPollMs;
      await sleep(waitMs, { signal, clock: this.#clock }).catch(() => undefined); // the loop condition sees the abort
    }
  }

  /** Resolves with an identity other than `than`; rejects when aborted. */
  next(than: RuntimeIdentity | undefined, { signal }: { signal: AbortSignal }): Promise<RuntimeIdentity> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!this.#current || this.#current === than) return;
        settle();
        resolve(this.#current);
      };
      const onAbort = () => {
        settle();
        reject(signal.reason);
      };
      const settle = () => {
        this.#listeners.delete(look);
        signal.removeEventListener('abort', onAbort);
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      this.#listeners.add(look);
      look();
    });
  }

  /** One look out of turn, at most one a second: for who meets a word that the known identity does not explain. */
  async refreshed({ signal }: { signal: AbortSignal }): Promise<RuntimeIdentity | undefined> {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#lookedAtMs >= outOfTurnMs) {
      this.#lookedAtMs = nowMs;
      await this.#look(signal);
    }
    return this.#current;
  }

  /** Gives what stands in the way, '' when nothing does. A failure to look keeps the identity that is known. */
  async #look(signal: AbortSignal): Promise<string> {
    const { client, namespace } = this.#options;
    try {
      const found = await readIdentity(client, { namespace, signal });
      if (!found) return this.#current ? '' : 'the runtime is not registered yet';
      if (JSON.stringify(found) !== JSON.stringify(this.#current)) {
        this.#current = found;
        for (const listener of [...this.#listeners]) listener();
      }
      return '';
    } catch (error) {
      return this.#current || signal.aborted ? '' : errorMessage(error);
    }
  }
}

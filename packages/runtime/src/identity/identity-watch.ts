// The identity as it is now. Components start before the runtime is registered; they wait here, and learn here when the
// identity is replaced.
import { type Clock, type Logger, systemClock } from '@fairlead/base';
import { type RuntimeIdentity, runtimeIdentitySecret } from '@fairlead/contracts';
import { Informer, type KubeClient } from '@fairlead/kube';
import { readIdentity } from './read-identity.ts';
import { identityOf } from './secret.ts';

interface WatchOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly log: Logger;
  readonly clock?: Clock;
}

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
    const { client, log, namespace } = this.#options;
    const fieldSelector = `metadata.name=${runtimeIdentitySecret}`;
    const query = { apiVersion: 'v1', kind: 'Secret', namespace, fieldSelector };
    const secret = new Informer({ client, query, log, clock: this.#clock });
    const look = () => {
      const [found] = secret.list();
      if (found) this.#learn(identityOf(found));
    };
    secret.onChange(look);
    const firstLook = secret.synced({ signal }).then(
      () => {
        look();
        if (!this.#current) log.info({ namespace }, 'waiting for the identity: the runtime is not registered yet');
      },
      () => undefined, // only the end of the watch rejects
    );
    await Promise.all([secret.run({ signal }), firstLook]);
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

  /** A failure to look keeps the identity that is known. */
  async #look(signal: AbortSignal): Promise<void> {
    const { client, namespace } = this.#options;
    this.#learn(await readIdentity(client, { namespace, signal }).catch(() => undefined));
  }

  #learn(found: RuntimeIdentity | undefined): void {
    if (!found || JSON.stringify(found) === JSON.stringify(this.#current)) return;
    this.#current = found;
    for (const listener of [...this.#listeners]) listener();
  }
}

// One engine of several on a cluster acts, the others stand by. Promises: controllers run only while this engine holds the
// lease; each of their writes asks `guard` right before it is sent, which refuses from the moment on when another engine
// may act, also after this process was frozen. At most requests already sent may land late; they are idempotent.
import { type Clock, FairleadError, type Logger } from '@fairlead/base';
import { type KubeClient, runLeaderElection, type Term } from '@fairlead/kube';

interface LeadershipOptions {
  /** For the lease alone, so that its requests wait for no others and are counted apart. */
  readonly client: KubeClient;
  readonly namespace: string;
  readonly identity: string;
  /** How long another engine waits for this one; renewed three times as often. */
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

const leaseName = 'fairlead-engine';

export class Leadership {
  readonly #options: LeadershipOptions;
  #term: Term | undefined;
  #holder = '';
  #terms = 0;

  constructor(options: LeadershipOptions) {
    this.#options = options;
  }

  get isActing(): boolean {
    return this.#term !== undefined && !this.#term.signal.aborted;
  }

  /** Who acts, as far as it is known. */
  get holder(): string {
    return this.#holder;
  }

  get counts(): { readonly terms: number; readonly requests: number } {
    const requests = Object.values(this.#options.client.requestCounts()).reduce((sum, number) => sum + number, 0);
    return { terms: this.#terms, requests };
  }

  readonly guard = (): void => {
    if (!this.#term) {
      const text = 'this engine stands by; it writes nothing until it holds the lease';
      throw new FairleadError('engine_stands_by', text, { details: { holder: this.#holder } });
    }
    this.#term.assertOurs();
  };

  /** Runs `act` in each term, until the signal aborts; the lease is given back when `act` has ended. */
  run(act: (term: { readonly signal: AbortSignal }) => Promise<void>, signal: AbortSignal): Promise<void> {
    const { client, namespace, identity, leaseMs, clock, log } = this.#options;
    return runLeaderElection({
      client,
      namespace,
      name: leaseName,
      identity,
      signal,
      clock,
      log,
      leaseMs,
      renewWithinMs: (leaseMs * 2) / 3,
      renewMs: leaseMs / 3,
      retryMs: leaseMs / 15,
      onHolder: (holder) => {
        this.#holder = holder;
      },
      lead: async (term) => {
        this.#term = term;
        this.#terms++;
        try {
          await act(term);
        } finally {
          this.#term = undefined;
        }
      },
    });
  }
}

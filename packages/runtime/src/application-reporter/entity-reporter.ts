// Reports the things of one kind that a runtime has beside applications (clusters, Git Sources, access rules, workloads): looks at all of them
// when woken and from time to time, and sends what is different. After a start and after any gap it compares with the
// platform first. A look that fails changes nothing: the last report stands.
import { type Clock, contentHash, errorMessage, type Logger } from '@fairlead/base';
import type { DigestAnswer, ReportDigest, ReportedObject } from '@fairlead/contracts';
import type { Outbox } from './outbox.ts';

export interface Stamp {
  readonly key: string;
  readonly uid: string;
  readonly epoch: number;
  readonly sequence: number;
  readonly observedAt: string;
  readonly hash: string;
}

export interface Entity<Payload> {
  readonly uid: string;
  readonly payload: Payload;
  /** Content hash of the payload, where it is known already. */
  readonly hash?: string;
}

interface EntityReporterOptions<Payload> {
  readonly reporter: string;
  readonly epoch: number;
  readonly kind: 'cluster' | 'git-source' | 'access-rules' | 'workload';
  /** Asked after each look. */
  readonly everyMs: () => number;
  /** All there are, by key. */
  readonly look: (signal: AbortSignal) => Promise<ReadonlyMap<string, Entity<Payload>>>;
  /** Whether the look can tell that this one is gone; default: it can. */
  readonly canTell?: (key: string) => boolean;
  /** Without a payload: it is gone. */
  readonly report: (payload: Payload | undefined, stamp: Stamp) => ReportedObject;
}

interface EntityReporterDeps {
  readonly outbox: Outbox;
  readonly exchangeDigest: (digest: ReportDigest, options: { readonly signal: AbortSignal }) => Promise<DigestAnswer>;
  readonly log: Logger;
  readonly clock: Clock;
}

interface Known {
  readonly uid: string;
  readonly hash: string;
}

/** Changes come in bursts; one look is for all of them. */
const lingerMs = 50;
const retryMs = 3_000;
const digestEveryMs = 10 * 60_000;

export class EntityReporter<Payload> {
  readonly #deps: EntityReporterDeps;
  readonly #options: EntityReporterOptions<Payload>;
  #known: ReadonlyMap<string, Known> = new Map();
  /** Known at the platform and not seen here, and nobody can tell yet whether they are gone. */
  #unsettled: Set<string> = new Set();
  #sequence = 0;
  #digestOwed: boolean = true;
  #comparedMs = 0;
  #isFailing: boolean = false;
  #isWoken: boolean = false;
  #hurry: () => void = () => undefined;

  constructor(deps: EntityReporterDeps, options: EntityReporterOptions<Payload>) {
    this.#deps = deps;
    this.#options = options;
  }

  /** Something may have changed. */
  wake(): void {
    this.#isWoken = true;
    this.#hurry();
  }

  oweDigest(): void {
    this.#digestOwed = true;
    this.wake();
  }

  async run({ signal }: { signal: AbortSignal }): Promise<void> {
    const { clock, log } = this.#deps;
    const { kind, everyMs } = this.#options;
    while (!signal.aborted) {
      this.#isWoken = false; // what changes from here on is for the next round
      try {
        await this.#round(signal);
        this.#isFailing = false;
      } catch (error) {
        if (signal.aborted) return;
        if (!this.#isFailing)
          log.warn({ kind, error: errorMessage(error) }, 'cannot look at all of a kind, will retry');
        this.#isFailing = true;
      }
      const regularMs = this.#isFailing ? Math.min(retryMs, everyMs()) : everyMs();
      await this.#pause(this.#isWoken ? lingerMs : regularMs, signal, clock);
    }
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { look, kind, reporter, epoch, canTell = () => true } = this.#options;
    const { exchangeDigest, clock } = this.#deps;
    const found = await look(signal);
    const now = new Map([...found].map(([key, entity]) => [key, { uid: entity.uid, hash: hashOf(entity) }]));
    let owed = new Set<string>();
    const isDue = this.#digestOwed || clock.monotonic() - this.#comparedMs > digestEveryMs;
    if (isDue) {
      const objects = Object.fromEntries([...now].map(([key, { hash }]) => [key, hash]));
      const shard = { index: 0, count: 1 };
      const answer = await exchangeDigest({ reporter, kind, epoch, shard, objects }, { signal });
      owed = new Set(answer.send);
      this.#unsettled = new Set(answer.unknown);
      this.#digestOwed = false;
      this.#comparedMs = clock.monotonic();
    } else for (const [key, { hash }] of now) if (this.#known.get(key)?.hash !== hash) owed.add(key);
    for (const key of this.#known.keys()) if (!now.has(key)) owed.add(key);
    for (const key of this.#unsettled) {
      if (!now.has(key) && !canTell(key)) continue;
      this.#unsettled.delete(key);
      owed.add(key);
    }
    for (const key of owed) this.#send(key, found.get(key));
    this.#known = now;
  }

  #send(key: string, entity: Entity<Payload> | undefined): void {
    const { epoch, report } = this.#options;
    const { outbox, clock } = this.#deps;
    const stamp = {
      key,
      uid: entity?.uid ?? this.#known.get(key)?.uid ?? '',
      epoch,
      sequence: ++this.#sequence,
      observedAt: new Date(clock.now()).toISOString(),
      hash: entity ? hashOf(entity) : contentHash(null),
    };
    outbox.add({ object: report(entity?.payload, stamp), contents: new Map() });
  }

  #pause(pauseMs: number, signal: AbortSignal, clock: Clock): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        signal.removeEventListener('abort', done);
        resolve();
      };
      let cancel = clock.after(pauseMs, done);
      this.#hurry = () => {
        cancel();
        cancel = clock.after(lingerMs, done);
      };
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted) done();
    });
  }
}

const hashOf = ({ payload, hash }: Entity<unknown>): string => hash ?? contentHash(payload);

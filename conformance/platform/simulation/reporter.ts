// A real reporter (watcher, queue, outbox) on the simulated world, network and clock.
import { type Clock, createRegistry, silentLogger } from '@fairlead/base';
import { ApplicationReporter, Outbox, Redactor, ReporterMetrics, Spool } from '@fairlead/runtime/application-reporter';
import type { Broken, Network } from './network.ts';
import type { Dice } from './seeded.ts';
import { LocalCopy, type World } from './world.ts';

const metrics = new ReporterMetrics(createRegistry('simulation'));
const redactor = new Redactor('simulated');
const spoolBytes = 16 * 1024 * 1024;
/** So many fit into the queue of the build that drops what does not. */
const smallQueue = 1;

type Outgoing = Parameters<Outbox['add']>[0];

interface OutboxWatch {
  readonly isBroken: boolean;
  readonly signal: AbortSignal;
  onAdd(report: Outgoing): void;
}

/** Tells what is handed to it, and can be broken. */
class WatchedOutbox extends Outbox {
  readonly #watch: OutboxWatch;

  constructor(options: ConstructorParameters<typeof Outbox>[0], watch: OutboxWatch) {
    super(options);
    this.#watch = watch;
  }

  override add(report: Outgoing): void {
    if (this.#watch.signal.aborted) return; // the dead do nothing
    this.#watch.onAdd(report);
    if (this.#watch.isBroken && this.size >= smallQueue) return;
    super.add(report);
  }
}

export interface ReporterDeps {
  readonly world: World;
  readonly network: Network;
  readonly clock: Clock;
  readonly dice: Dice;
  readonly broken: Broken | undefined;
}

export interface ReporterPlace {
  readonly epoch: number;
  readonly index: number;
  readonly count: number;
  /** What is in it outlives the process. */
  readonly dir: string;
}

export class SimulatedReporter {
  readonly copy: LocalCopy;
  readonly outbox: Outbox;
  readonly dir: string;
  readonly #spool: Spool;
  readonly #stopping = new AbortController();
  /** `uid startedAt` of results that were handed to the outbox and that nobody has acknowledged. */
  readonly unacknowledged = new Set<string>();
  readonly observed = new Set<string>();

  constructor({ world, network, clock, dice, broken }: ReporterDeps, { epoch, index, count, dir }: ReporterPlace) {
    const { signal } = this.#stopping;
    this.dir = dir;
    this.#spool = Spool.open({ dir, maxBytes: spoolBytes, log: silentLogger });
    this.copy = new LocalCopy(world);
    const name = `application-reporter-${index}`;
    const common = { metrics, log: silentLogger, clock, random: dice.random };
    const outbox = new WatchedOutbox(
      {
        ...common,
        reporter: name,
        spool: this.#spool,
        send: async (batch) => {
          const receipt = await network.send(batch, signal);
          for (const object of batch.objects) for (const each of resultsIn(object)) this.unacknowledged.delete(each);
          return receipt;
        },
        onRecovered: () => reporter.oweDigest(),
      },
      { onAdd: ({ object }) => this.#note(object), isBroken: broken === 'dropped on overflow', signal },
    );
    this.outbox = outbox;
    const exchangeDigest = (digest: Parameters<Network['exchange']>[0]) => network.exchange(digest, signal);
    const deps = { ...common, informer: this.copy, engine, outbox, redactor, exchangeDigest };
    const reporter = new ApplicationReporter(deps, { name, epoch, shard: { index, count } });
    const run = (running: Promise<void>) =>
      running.catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    void run(outbox.run({ signal }));
    void run(reporter.run({ signal }));
  }

  get isQuiet(): boolean {
    return this.outbox.size === 0;
  }

  /** It finds on the disk what the other one had not delivered. */
  inherit({ observed, unacknowledged }: SimulatedReporter): void {
    for (const each of observed) this.observed.add(each);
    for (const each of unacknowledged) this.unacknowledged.add(each);
  }

  /** As kill -9 does: nothing is finished, nothing is saved. */
  kill(): void {
    this.#stopping.abort();
    this.copy.stop();
    this.#spool.close();
  }

  #note(object: unknown): void {
    for (const each of resultsIn(object)) {
      this.observed.add(each);
      this.unacknowledged.add(each);
    }
  }
}

interface Carrying {
  readonly uid: string;
  readonly application?: { readonly operation?: { readonly startedAt: string; readonly finishedAt?: string } };
}

/** The operation's result that a report carries. */
function resultsIn(object: unknown): string[] {
  const { uid, application } = object as Carrying; // one of our own reports
  const operation = application?.operation;
  return operation?.finishedAt === undefined ? [] : [`${uid} ${operation.startedAt}`];
}

/** An engine that knows of no resources. */
const engine = {
  resourceTree: () => Promise.resolve({}),
  managedResources: () => Promise.resolve([]),
  revisionMetadata: () => Promise.resolve({}),
};

// One seeded schedule: a world that changes, real reporters, a network that loses, doubles and delays, crashes and
// changes of the number of reporters; then peace, until the platform shows the truth or time is up. Everything that is
// decided is decided by the seed, and time is simulated: the same seed finds the same.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@fairlead/base';
import type { TestIngest } from '@fairlead/platform/testing';
import { Checker, type Findings } from './checker.ts';
import { type Broken, Network } from './network.ts';
import { SimulatedReporter } from './reporter.ts';
import { Dice } from './seeded.ts';
import { World } from './world.ts';

export interface SchedulePlan {
  readonly seed: number;
  readonly broken?: Broken | undefined;
}

export interface ScheduleReport extends Findings {
  readonly steps: number;
  readonly changes: number;
  readonly operations: number;
  readonly faults: Readonly<Record<string, number>>;
}

const maxShards = 3;
const peaceStepMs = 5_000;
/** A little more than the time between two regular comparisons. */
const peaceSteps = 130;

export async function runSchedule(ingest: TestIngest, { seed, broken }: SchedulePlan): Promise<ScheduleReport> {
  const schedule = await Schedule.start(ingest, { seed, broken });
  try {
    return await schedule.run();
  } finally {
    schedule.stop();
  }
}

class Schedule {
  readonly #dice: Dice;
  readonly #clock = new FakeClock();
  readonly #world: World;
  readonly #network: Network;
  readonly #checker: Checker;
  readonly #deps: ConstructorParameters<typeof SimulatedReporter>[0];
  readonly #faults: Record<string, number> = {};
  readonly #disk = mkdtempSync(join(tmpdir(), 'fairlead-simulated-'));
  /** Results that were observed and must be found; those on the disk of a reporter that never comes back are forgiven. */
  readonly #owed = new Set<string>();
  #reporters: SimulatedReporter[] = [];
  /** Replaced, but not dead yet. */
  #zombies: SimulatedReporter[] = [];
  #epoch = 0;

  static async start(ingest: TestIngest, plan: SchedulePlan): Promise<Schedule> {
    return new Schedule(ingest, await ingest.addRuntime(), plan);
  }

  private constructor(
    ingest: TestIngest,
    runtime: Awaited<ReturnType<TestIngest['addRuntime']>>,
    { seed, broken }: SchedulePlan,
  ) {
    this.#dice = new Dice(seed);
    this.#world = new World(this.#dice, 1 + this.#dice.below(4));
    this.#checker = new Checker(ingest, runtime, this.#world);
    const onDelivered = () => this.#checker.look();
    this.#network = new Network({ ingest, runtime, dice: this.#dice, broken, onDelivered });
    this.#deps = { world: this.#world, network: this.#network, clock: this.#clock, dice: this.#dice, broken };
    this.#startReporters(1 + this.#dice.below(maxShards));
  }

  async run(): Promise<ScheduleReport> {
    const steps = 20 + this.#dice.below(60);
    for (let n = 0; n < steps; n++) {
      await this.#step();
      await settled();
    }
    await this.#peace();
    const changes = [...this.#world.log.values()].reduce((sum, log) => sum + log.length, 0);
    const faults = { ...this.#faults, ...this.#network.faults };
    for (const each of this.#reporters) this.#settleDebts(each, { diskIsGone: false });
    return {
      ...(await this.#checker.findings(this.#owed)),
      steps,
      changes,
      operations: this.#world.ended.size,
      faults,
    };
  }

  stop(): void {
    for (const each of [...this.#reporters, ...this.#zombies]) each.kill();
    rmSync(this.#disk, { recursive: true, force: true });
  }

  async #step(): Promise<void> {
    const what = this.#dice.weighted({ change: 30, network: 30, time: 25, cut: 4, crash: 4, reshard: 3, bury: 3 });
    if (what === 'change') return this.#world.step();
    if (what === 'network') return this.#network.step();
    if (what === 'time') return this.#clock.advance(this.#dice.below(2_000));
    if (what === 'cut') return this.#toggleWatch();
    if (what === 'crash') return this.#crash();
    if (what === 'reshard') return this.#reshard(1 + this.#dice.below(maxShards));
    this.#bury();
  }

  #toggleWatch(): void {
    const copy = this.#dice.pick(this.#reporters)?.copy;
    if (!copy) return;
    copy.isCut = !copy.isCut;
    if (copy.isCut) this.#count('watch cut');
    copy.catchUp();
  }

  #crash(): void {
    const index = this.#dice.below(this.#reporters.length);
    const victim = this.#reporters[index];
    if (!victim) return;
    this.#count('reporter killed');
    victim.kill();
    const place = { epoch: ++this.#epoch, index, count: this.#reporters.length, dir: victim.dir };
    const successor = new SimulatedReporter(this.#deps, place);
    successor.inherit(victim);
    this.#reporters[index] = successor;
  }

  /** The old ones go on for a while beside the new: they see nothing any more, but what they have in hand they send. */
  #reshard(count: number): void {
    this.#count('re-sharded');
    for (const { copy } of this.#reporters) copy.isCut = true;
    this.#zombies.push(...this.#reporters);
    this.#startReporters(count);
  }

  #bury(): void {
    for (const each of this.#zombies.splice(0)) {
      each.kill();
      this.#settleDebts(each, { diskIsGone: true });
    }
  }

  #startReporters(count: number): void {
    this.#reporters = Array.from({ length: count }, (_, index) => {
      const epoch = ++this.#epoch;
      return new SimulatedReporter(this.#deps, { epoch, index, count, dir: join(this.#disk, String(epoch)) });
    });
  }

  #settleDebts({ observed, unacknowledged }: SimulatedReporter, { diskIsGone }: { diskIsGone: boolean }): void {
    for (const each of observed) if (!diskIsGone || !unacknowledged.has(each)) this.#owed.add(each);
  }

  async #peace(): Promise<void> {
    for (const { copy } of this.#reporters) {
      copy.isCut = false;
      copy.catchUp();
    }
    this.#bury();
    for (let n = 0; n < peaceSteps; n++) {
      await this.#clock.advance(peaceStepMs);
      await settled();
      await this.#network.flush();
      await settled();
      const isQuiet = this.#network.waiting === 0 && this.#reporters.every((each) => each.isQuiet);
      if (n > 2 && isQuiet && (await this.#checker.isTrue())) return;
    }
  }

  #count(fault: string): void {
    this.#faults[fault] = (this.#faults[fault] ?? 0) + 1;
  }
}

/** Lets everything go on that waits for neither time nor network. */
async function settled(): Promise<void> {
  for (let n = 0; n < 4; n++) await new Promise<void>((resolve) => setImmediate(resolve));
}

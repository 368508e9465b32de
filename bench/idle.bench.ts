// What Fairlead costs while nothing happens: all processes of laptop mode with the sample, no browser.
import { Fairlead, temporaryHome } from '../e2e/harness.ts';
import { costOf } from './processes.ts';
import { type BenchContext, type Result, spreadOf } from './report.ts';

const settleMs = 30_000;
const windowMs = 20_000;
const windows = 3;

export async function measure({ say }: BenchContext): Promise<Result[]> {
  const fairlead = await Fairlead.start(temporaryHome());
  try {
    say(`started; waiting ${settleMs / 1000} s before ${windows} windows of ${windowMs / 1000} s`);
    await pause(settleMs);
    const cpuShares: number[] = [];
    const sizes: number[] = [];
    for (let window = 0; window < windows; window++) {
      const before = costOf(fairlead.pid);
      await pause(windowMs);
      const after = costOf(fairlead.pid);
      cpuShares.push(((after.cpuSeconds - before.cpuSeconds) / (windowMs / 1000)) * 100);
      sizes.push(after.pssMiB);
    }
    return [
      {
        metric: 'memory of all processes',
        unit: 'MiB PSS',
        value: Math.max(...sizes),
        spread: spreadOf(sizes),
        goal: '<= 450',
      },
      { metric: 'CPU', unit: '% of one core', value: mean(cpuShares), spread: spreadOf(cpuShares), goal: '<= 3' },
    ];
  } finally {
    await fairlead.stop();
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

// How every bench tells what it measured: machine, commit, value, spread, goal.
import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';

export interface Result {
  readonly metric: string;
  readonly unit: string;
  readonly value: number;
  /** From the same runs, in the same unit: smallest and largest, or two percentiles named in the metric. */
  readonly spread: readonly [number, number];
  /** The promise, e.g. `<= 90`; absent for figures that are only reported. */
  readonly goal?: string;
}

/** What a bench is given: a line for people while it runs. */
export interface BenchContext {
  readonly say: (line: string) => void;
}

export function isMet({ value, goal }: Result): boolean | undefined {
  const parsed = /^(<=|>=) ([\d.]+)$/.exec(goal ?? '');
  if (!parsed) return undefined;
  const limit = Number(parsed[2]);
  return parsed[1] === '<=' ? value <= limit : value >= limit;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export const spreadOf = (values: readonly number[]): [number, number] => [Math.min(...values), Math.max(...values)];

export async function report(name: string, results: readonly Result[], options: { json: boolean }): Promise<string> {
  const commit = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=12'], { encoding: 'utf8' }).trim();
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  const judged = results.map((result) => ({ ...result, goal: result.goal ?? null, met: isMet(result) ?? null }));
  if (options.json) return `${JSON.stringify({ name, commit, machine, results: judged }, null, 2)}\n`;
  const lines = judged.map(({ metric, value, unit, spread, goal, met }) => {
    const verdict = goal === null ? '' : `  goal ${goal} ${unit}: ${met ? 'met' : 'MISSED'}`;
    return `  ${metric}: ${round(value)} ${unit} (${round(spread[0])}–${round(spread[1])})${verdict}`;
  });
  return `${name}, commit ${commit}, ${machine}\n${lines.join('\n')}\n`;
}

const round = (value: number) => (Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3)));

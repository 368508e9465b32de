// A stranger's first minutes: fresh clone to ready (dependencies from npm's cache), and every start after that.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchContext, type Result, spreadOf } from './report.ts';

const laterStarts = 5;

export async function measure({ say }: BenchContext): Promise<Result[]> {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-start-'));
  const clone = join(dir, 'clone');
  try {
    execFileSync('git', ['clone', '--quiet', process.cwd(), clone]);
    const first = await startOnce(clone, join(dir, 'home'));
    say(`first start: ${first.toFixed(1)} s`);
    const later: number[] = [];
    for (let n = 0; n < laterStarts; n++) later.push(await startOnce(clone, join(dir, 'home')));
    const worst = Math.max(...later);
    return [
      {
        metric: 'fresh clone, warm npm cache, to ready',
        unit: 's',
        value: first,
        spread: [first, first],
        goal: '<= 90',
      },
      {
        metric: `later start, worst of ${laterStarts}`,
        unit: 's',
        value: worst,
        spread: spreadOf(later),
        goal: '<= 5',
      },
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Seconds from `npm start` to the ready line; stops it again. */
async function startOnce(clone: string, home: string): Promise<number> {
  const startedMs = performance.now();
  const args = ['start', '--silent', '--', '--home', home, '--port', '0', '--no-open'];
  const child = spawn('npm', args, { cwd: clone, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let output = '';
  const seconds = await new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
      if (output.includes('Fairlead is ready')) resolve((performance.now() - startedMs) / 1000);
    });
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
  });
  child.kill('SIGTERM');
  await ended;
  return seconds;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homeAt, prepareHome } from './home.ts';
import { recordProcesses, releaseHome, runningUp, takeHome } from './lock.ts';

describe('a home', () => {
  let home: ReturnType<typeof homeAt>;
  beforeEach(() => {
    home = homeAt(mkdtempSync(join(tmpdir(), 'fairlead-lock-')));
    prepareHome(home);
  });
  afterEach(() => rmSync(home.dir, { recursive: true, force: true }));

  /** A process whose command line names Fairlead. */
  const other = () => spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)', 'fairlead']);

  it('is taken by one start, and free again after it', () => {
    takeHome(home);
    expect(readdirSync(home.dataDir)).toEqual(['up.json']);
    releaseHome(home);
    expect(readdirSync(home.dataDir)).toEqual([]);
  });

  it('is refused to a second start, from its first moment on', async () => {
    const first = other();
    try {
      recordProcesses(home, { pid: first.pid ?? 0, url: '', processes: {} });
      expect(() => takeHome(home)).toThrow(/^Fairlead is being started in .* \(pid \d+\); stop it with fairlead down/);
      recordProcesses(home, { pid: first.pid ?? 0, url: 'http://localhost:3000', processes: {} });
      expect(() => takeHome(home)).toThrow(/^Fairlead already runs in .* \(pid \d+\) at http:\/\/localhost:3000; /);
      expect(runningUp(home)?.pid).toBe(first.pid);
    } finally {
      first.kill('SIGKILL');
    }
  });

  it('is taken over from a start that was killed', async () => {
    const first = other();
    recordProcesses(home, { pid: first.pid ?? 0, url: 'http://localhost:3000', processes: {} });
    first.kill('SIGKILL');
    await once(first, 'exit');
    takeHome(home);
    expect(runningUp(home)).toBeUndefined();
    expect(readdirSync(home.dataDir)).toEqual(['up.json']);
  });
});

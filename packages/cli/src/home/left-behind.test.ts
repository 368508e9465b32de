import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, systemClock } from '@fairlead/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homeAt, prepareHome } from './home.ts';
import { endLeftBehind } from './left-behind.ts';
import { recordProcesses } from './lock.ts';

describe('what a killed supervisor left behind', () => {
  const { signal } = new AbortController();
  let home: ReturnType<typeof homeAt>;
  const children: ChildProcess[] = [];
  beforeEach(() => {
    home = homeAt(mkdtempSync(join(tmpdir(), 'fairlead-left-')));
    prepareHome(home);
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(home.dir, { recursive: true, force: true });
  });

  function run(script: string, name: string): ChildProcess {
    const child = spawn(process.execPath, ['-e', script, name]);
    children.push(child);
    return child;
  }

  async function killedSupervisor(processes: Record<string, number>): Promise<void> {
    const supervisor = run('', 'fairlead');
    recordProcesses(home, { pid: supervisor.pid ?? 0, url: 'http://localhost:3000', processes });
    await once(supervisor, 'exit');
  }

  it('is waited for; programs that were given its process ids are left alone', async () => {
    const role = run('setTimeout(() => undefined, 300)', 'fairlead role runtime');
    const stranger = run('setInterval(() => undefined, 1000)', 'editor');
    await killedSupervisor({ runtime: role.pid ?? 0, platform: stranger.pid ?? 0 });
    await endLeftBehind(home, { signal, clock: systemClock });
    expect(isAlive(role.pid ?? 0)).toBe(false);
    expect(isAlive(stranger.pid ?? 0)).toBe(true);
  });

  it('is ended when it does not end by itself', async () => {
    const role = run('setInterval(() => undefined, 1000)', 'fairlead role runtime');
    await killedSupervisor({ runtime: role.pid ?? 0 });
    await endLeftBehind(home, { signal, clock: systemClock, patienceMs: 100 });
    expect(isAlive(role.pid ?? 0)).toBe(false);
  });

  it('is nothing while a start runs: its processes are its own', async () => {
    const supervisor = run('setInterval(() => undefined, 1000)', 'fairlead');
    const role = run('setInterval(() => undefined, 1000)', 'fairlead role runtime');
    recordProcesses(home, { pid: supervisor.pid ?? 0, url: '', processes: { runtime: role.pid ?? 0 } });
    await endLeftBehind(home, { signal, clock: systemClock });
    expect(isAlive(role.pid ?? 0)).toBe(true);
  });
});

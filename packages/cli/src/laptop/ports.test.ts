import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FairleadError } from '@fairlead/base';
import { afterEach, describe, expect, it } from 'vitest';
import { type Home, homeAt } from '../home/index.ts';
import { choosePorts, holdPorts, onFreePorts } from './ports.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

function temporaryHome(): Home {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-ports-'));
  cleanups.push(() => rmSync(dir, { recursive: true, force: true }));
  const home = homeAt(dir);
  mkdirSync(home.dataDir);
  return home;
}

function occupy(port: number): Promise<void> {
  const server = createServer();
  cleanups.push(() => server.close());
  return new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
}

const options = { platformPort: 0, defaultPlatformPort: 3000, random: Math.random };

describe('choosePorts', () => {
  it('keeps the ports of a home over starts', async () => {
    const home = temporaryHome();
    const first = await choosePorts(home, options);
    expect(await choosePorts(home, options)).toEqual(first);
    expect(new Set(Object.values(first)).size).toBe(Object.keys(first).length);
  });

  it('moves a port that another program took, but never the git server', async () => {
    const home = temporaryHome();
    const first = await choosePorts(home, options);
    await occupy(first.engine);
    const second = await choosePorts(home, options);
    expect(second.engine).not.toBe(first.engine);
    expect(second.git).toBe(first.git);
    await occupy(first.git);
    await expect(choosePorts(home, options)).rejects.toThrow(
      /serves its git repositories, is taken by another program/,
    );
  });

  it('gives the asked port to the UI though another component had it, but never that of the git server', async () => {
    const home = temporaryHome();
    const first = await choosePorts(home, options);
    const second = await choosePorts(home, { ...options, platformPort: first.engine });
    expect(second).toEqual({ ...first, platform: first.engine, engine: second.engine });
    expect(Object.values(first)).not.toContain(second.engine);
    const asked = choosePorts(home, { ...options, platformPort: first.git });
    await expect(asked).rejects.toThrow(/serves its git repositories, cannot serve the UI too; give another one/);
  });

  it('says what to do when the asked port is taken', async () => {
    const home = temporaryHome();
    const { router } = await choosePorts(home, options);
    await occupy(router);
    const asked = choosePorts(temporaryHome(), { ...options, platformPort: router });
    await expect(asked).rejects.toThrow(/is taken by another program; stop it, or choose another port/);
  });
});

describe('a port that somebody takes between our look and our use', () => {
  /** A start that fails so the first times. */
  function failing(times: number, error: FairleadError) {
    let starts = 0;
    const start = () => (++starts > times ? Promise.resolve('up') : Promise.reject(error));
    return { start, starts: () => starts };
  }
  const lost = new FairleadError('listen_failed', 'port 20000 is taken by another program');

  it('makes a start begin again, three times at most', async () => {
    const twice = failing(2, lost);
    expect(await onFreePorts(twice.start)).toBe('up');
    const always = failing(9, lost);
    await expect(onFreePorts(always.start)).rejects.toThrow('is taken by another program');
    expect(always.starts()).toBe(3);
  });

  it('is told apart from every other failure', async () => {
    const { start, starts } = failing(9, new FairleadError('role_ended', 'engine ended while starting'));
    await expect(onFreePorts(start)).rejects.toThrow('engine ended');
    expect(starts()).toBe(1);
  });

  it('cannot be one that is held for later', async () => {
    const { engine, router } = await choosePorts(temporaryHome(), options);
    const letGo = await holdPorts([engine, router]);
    await expect(holdPorts([router])).rejects.toThrow('is taken by another program');
    await letGo();
    await occupy(engine);
    await expect(holdPorts([router, engine]), 'it leaves nothing held').rejects.toThrow('is taken by another program');
    await occupy(router);
  });
});

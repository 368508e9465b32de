import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { engineIdentity } from './identity.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-identity-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const file = () => join(dir, 'identity.json');
const heldBy = async (change: object) =>
  writeFile(file(), JSON.stringify({ ...JSON.parse(await readFile(file(), 'utf8')), ...change }));

it('is kept by an engine that starts again in the same folder', async () => {
  const first = await engineIdentity(dir);
  expect(await engineIdentity(dir)).toBe(first);
});

it('is not taken from a process that still runs', async () => {
  const first = await engineIdentity(dir);
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  try {
    await heldBy({ pid: child.pid });
    expect(await engineIdentity(dir)).not.toBe(first);
  } finally {
    child.kill('SIGKILL');
  }
});

it('is taken over from a process that is gone', async () => {
  const first = await engineIdentity(dir);
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  await heldBy({ pid: child.pid });
  expect(await engineIdentity(dir)).toBe(first);
});

it('is not taken from another machine, nor from a file that makes no sense', async () => {
  const first = await engineIdentity(dir);
  await heldBy({ host: 'elsewhere' });
  expect(await engineIdentity(dir)).not.toBe(first);
  await writeFile(file(), '{');
  expect(await engineIdentity(dir)).toMatch(/_engine_/);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { isAlive } from './index.ts';

/** Starts a child that ends at once, tells its pid, and is too busy to hear of its end. */
const neverWaits = `
  const { spawn } = require('node:child_process');
  const child = spawn('true');
  process.stdout.write(child.pid + '\\n', () => { for (;;); });
`;

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout) for await (const line of createInterface({ input: child.stdout })) return line;
  return '';
}

it('tells who runs from who has ended', async () => {
  expect(isAlive(process.pid)).toBe(true);
  const ended = spawn('true');
  await once(ended, 'exit');
  expect(isAlive(ended.pid ?? 0)).toBe(false);
});

it.skipIf(!existsSync('/proc/self'))('does not take one for alive that nobody has waited for', async () => {
  const parent = spawn(process.execPath, ['-e', neverWaits], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const pid = Number(await firstLine(parent));
    expect(pid).toBeGreaterThan(0);
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(process.kill(pid, 0), 'it is still in the table').toBe(true);
  } finally {
    parent.kill('SIGKILL');
  }
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const bootstrap = new URL('bootstrap.mjs', import.meta.url).href;
let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fairlead-bootstrap-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Another process that prepares the clone, and writes down when it begins and ends. */
async function prepare(): Promise<void> {
  const script = `
    import { appendFileSync } from 'node:fs';
    import { alone } from '${bootstrap}';
    await alone(async () => {
      appendFileSync('work', 'begin ');
      await new Promise((resolve) => setTimeout(resolve, 60));
      appendFileSync('work', 'end ');
    }, '${join(dir, 'lock')}');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: dir, stdio: 'ignore' });
  expect(await once(child, 'exit')).toEqual([0, null]);
}

it('lets commands that need the same clone prepare it one after the other, whatever a killed one left', async () => {
  const killed = spawn('true');
  await once(killed, 'exit');
  writeFileSync(join(dir, 'lock'), String(killed.pid));
  await prepare();
  await Promise.all([prepare(), prepare(), prepare()]);
  expect(readFileSync(join(dir, 'work'), 'utf8')).toBe('begin end '.repeat(4));
  expect(existsSync(join(dir, 'lock'))).toBe(false);
});

// A process that a test started ends with the test's own, whatever ended that.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isAlive } from '@fairlead/base';
import { expect, it, vi } from 'vitest';

const starter = (flags: readonly string[]) => `
  import { importTypeScript } from '${join(import.meta.dirname, '../scripts/run-typescript.mjs')}';
  const { spawnRole } = await importTypeScript('${join(import.meta.dirname, 'role-process.ts')}');
  const child = spawnRole('cluster', ${JSON.stringify(flags)}, { stdout: 'pipe' });
  child.stdout.on('data', () => process.stdout.write(child.pid + "\\n"));
  setInterval(() => {}, 1000);
`;

it('a role does not outlive who started it, killed as that may be', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'fairlead-role-process-'));
  const flags = ['--cluster-dir', join(dir, 'data'), '--kubeconfig-file', join(dir, 'kubeconfig')];
  const parent = spawn(process.execPath, ['--input-type=module', '-e', starter(flags)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let pid = 0;
    for await (const line of createInterface({ input: parent.stdout })) {
      pid = Number(line);
      break;
    }
    expect(isAlive(pid)).toBe(true);
    parent.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 30_000 });
  } finally {
    parent.kill('SIGKILL');
    await rm(dir, { recursive: true, force: true });
  }
}, 90_000);

import { describe, expect, it } from 'vitest';
import { ExecError, exec } from './index.ts';

const node = (script: string, options = {}) => exec(process.execPath, ['-e', script], options);

describe('exec', () => {
  it('gives input, takes output, and inherits no environment', async () => {
    const { stdout } = await node('process.stdin.pipe(process.stdout); console.log(Object.keys(process.env).join())', {
      input: 'hello',
      env: { ONLY: '1' },
    });
    expect(stdout.toString()).toBe('ONLY\nhello');
  });

  it('fails with exit code and the words on standard error', async () => {
    const failing = node('console.error("no such thing"); process.exit(3)');
    await expect(failing).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining('no such thing') });
  });

  it('kills a child that writes too much', async () => {
    const flood = node('for (;;) process.stdout.write("x".repeat(1000))', { maxOutputBytes: 10_000 });
    await expect(flood).rejects.toThrow(/more than 10000 bytes/);
  });

  it('kills a child that takes too long, and one that was aborted', async () => {
    await expect(node('setInterval(() => {}, 1000)', { timeoutMs: 50 })).rejects.toThrow(ExecError);
    const controller = new AbortController();
    const running = node('setInterval(() => {}, 1000)', { signal: controller.signal });
    controller.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
  });

  it('says so when there is no such program', async () => {
    await expect(exec('fairlead-no-such-program', [])).rejects.toThrow(/cannot run fairlead-no-such-program/);
  });
});

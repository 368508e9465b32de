import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exec } from '@fairlead/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pushFiles } from './repository.ts';

describe('the repositories of the sample', () => {
  let dir = '';
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'fairlead-sample-test-'));
    await exec('git', ['init', '--quiet', '--bare', '--initial-branch=main', join(dir, 'it.git')]);
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const push = (text: string) =>
    pushFiles({
      url: join(dir, 'it.git'),
      apiKey: 'key',
      files: { 'a/b.yaml': text },
      message: `Add ${text}`,
      signal: AbortSignal.timeout(30_000),
    });
  const git = async (...args: string[]) =>
    (await exec('git', ['--git-dir', join(dir, 'it.git'), ...args])).stdout.toString().trim();

  it('are made by one commit', async () => {
    await push('one');
    expect(await git('log', '--format=%an: %s', 'main')).toBe('Fairlead: Add one');
    expect(await git('show', 'main:a/b.yaml')).toBe('one');
  });

  it('are left as they are when an earlier start was cut after its push', async () => {
    await push('one');
    await push('two');
    expect(await git('log', '--format=%s', 'main')).toBe('Add one');
  });
});

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { Fairlead, root, temporaryHome } from './harness.ts';

test('the tour of the README works as it is written', async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const tour = /<!-- tour:[^>]*-->\s*```sh\n([\s\S]*?)```/.exec(readme)?.[1];
  expect(tour).toContain('git -C /tmp/guestbook push');
  const fairlead = await Fairlead.start(temporaryHome());
  try {
    const script = (tour ?? '').replaceAll('/tmp/guestbook', join(temporaryHome(), 'guestbook'));
    const identity = {
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@b.c',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@b.c',
    };
    const env = { ...process.env, ...identity, FAIRLEAD_HOME: fairlead.home };
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', script], { cwd: root, env });
    expect(stdout).toContain('guestbook-dev is Healthy and Synced');
    expect(stdout).toContain('gb-frontend:v6');
    expect(stdout).toContain('Succeeded');
  } finally {
    await fairlead.stop();
  }
});

// What goes wrong in the first hour gets one clear line, what to do, and a non-zero exit.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { cli, eventually, Fairlead, root, temporaryHome } from './harness.ts';

interface Ended {
  readonly code: number;
  readonly stderr: string;
}

/** `fairlead up` that is expected not to come up. */
function failingUp(home: string, flags: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Ended> {
  return new Promise((resolve) => {
    const args = [cli, 'up', '--home', home, '--no-open', ...flags];
    execFile(process.execPath, args, { env, timeout: 60_000 }, (error, _stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stderr });
    });
  });
}

const oneLine = (pattern: RegExp) => new RegExp(`^fairlead: .*${pattern.source}.*\\n$`);

test('a port that is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const { code, stderr } = await failingUp(temporaryHome(), ['--port', String(port)]);
  other.close();
  expect(code).toBe(1);
  expect(stderr).toMatch(oneLine(new RegExp(`port ${port} is taken by another program; stop it, or choose another`)));
});

test('a home that cannot be written', async () => {
  const file = join(temporaryHome(), 'a-file');
  writeFileSync(file, '');
  const { code, stderr } = await failingUp(join(file, 'home'), ['--port', '0']);
  expect(code).toBe(1);
  expect(stderr).toMatch(oneLine(/the home folder .* cannot be written; choose another with --home/));
});

test('git that is missing, or too old', async () => {
  const tools = join(temporaryHome(), 'bin');
  mkdirSync(tools);
  const missing = await failingUp(temporaryHome(), ['--port', '0'], { PATH: tools });
  expect(missing.stderr).toMatch(oneLine(/git was not found; install git/));
  writeFileSync(join(tools, 'git'), '#!/bin/sh\necho git version 2.20.1\n');
  chmodSync(join(tools, 'git'), 0o755);
  const old = await failingUp(temporaryHome(), ['--port', '0'], { PATH: `${tools}:/bin` });
  expect(old.stderr).toMatch(oneLine(/git 2\.20\.1 is too old; Fairlead needs git 2\.36 or newer/));
  expect([missing.code, old.code]).toEqual([1, 1]);
});

test('a Node that is too old', async () => {
  const bootstrap = new URL('scripts/bootstrap.mjs', pathToFileURL(`${root}/`)).href;
  const script = `Object.defineProperty(process.versions, 'node', { value: '18.20.4' }); (await import('${bootstrap}')).checkNode();`;
  const ended = await new Promise<Ended>((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', script], (error, _stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stderr }),
    );
  });
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/^Fairlead needs Node 20\.19 or newer; this is 18\.20\.4\. Install a newer Node.*\n$/);
});

test('a flag that makes no sense', async () => {
  const { code, stderr } = await failingUp(temporaryHome(), ['--port', 'many']);
  expect(code).toBe(2);
  expect(stderr).toMatch(oneLine(/--port many: must be a whole number from 0 to 65535/));
});

test.describe('in an installation that runs', () => {
  const home = temporaryHome();
  let fairlead: Fairlead;

  test.beforeAll(async () => {
    fairlead = await Fairlead.start(home);
  });

  test.afterAll(() => fairlead.stop());

  test('a second start in the same home, and a second home beside the first', async () => {
    const { code, stderr } = await failingUp(home, ['--port', '0']);
    expect(code).toBe(1);
    expect(stderr).toMatch(oneLine(/already runs in .* \(pid \d+\) at http.*; stop it with fairlead down/));
    const second = await Fairlead.start(temporaryHome());
    expect((await second.application('guestbook-dev')).health.status).toBe('Healthy');
    await second.stop();
    expect((await fairlead.application('guestbook-dev')).health.status).toBe('Healthy');
  });

  test('broken YAML: file and line in the UI, while the other applications go on', async ({ browser }) => {
    const clone = await fairlead.clone();
    clone.write('dev/settings.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: [broken\n');
    await clone.push('Break dev');
    clone.edit('prod/deployment.yaml', (text) => text.replace(/image: .*/, 'image: example.com/guestbook:v8'));
    const revision = await clone.push('Deploy v8 to prod');
    await eventually(
      'prod goes on',
      () => fairlead.application('guestbook-prod'),
      (form) => form.sync.revision === revision && form.images.includes('example.com/guestbook:v8'),
    );
    const page = await browser.newPage();
    await page.goto(fairlead.signInUrl);
    await page.getByRole('link', { name: 'guestbook-dev', exact: true }).click();
    await expect(page.getByText(/dev\/settings\.yaml.*line \d+|settings\.yaml:\d+/).first()).toBeVisible();
    await page.close();
  });
});

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { databaseDir, eventually, Fairlead, root, temporaryHome } from './harness.ts';

test('stops on SIGTERM and finds everything again at the next start', async () => {
  const home = temporaryHome();
  const first = await Fairlead.start(home);
  const { endpoints, apiKey } = first;
  const clone = await first.clone();
  clone.edit('prod/deployment.yaml', (text) => text.replace(/image: .*/, 'image: example.com/guestbook:v7'));
  const revision = await clone.push('Deploy v7 to prod');
  const isDeployed = (form: { sync: { revision: string }; health: { status: string }; images: readonly string[] }) =>
    form.sync.revision === revision &&
    form.health.status === 'Healthy' &&
    form.images.includes('example.com/guestbook:v7');
  await eventually('v7 in prod', () => first.application('guestbook-prod'), isDeployed);
  await first.stop('SIGTERM');
  await expect(fetch(endpoints.platform)).rejects.toThrow();

  const second = await Fairlead.start(home);
  try {
    expect(second.endpoints).toEqual(endpoints);
    expect(second.apiKey).toBe(apiKey);
    await eventually('v7 after the restart', () => second.application('guestbook-prod'), isDeployed);
  } finally {
    await second.stop();
  }
});

test('starts again without a network: nothing is installed, nothing is fetched', async () => {
  const home = temporaryHome();
  await (await Fairlead.start(home)).stop();
  const tools = join(temporaryHome(), 'bin');
  mkdirSync(tools);
  writeFileSync(join(tools, 'npm'), '#!/bin/sh\necho npm was called >&2\nexit 1\n', { mode: 0o755 });
  const { npm_execpath: _npm, ...inherited } = process.env;
  const nowhere = 'http://127.0.0.1:9';
  const proxies = { HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, http_proxy: nowhere, https_proxy: nowhere };
  const env = { ...inherited, ...proxies, NO_PROXY: '', no_proxy: '', PATH: `${tools}:${process.env['PATH']}` };
  const program = [join(root, 'scripts/start.mjs')];
  const again = await Fairlead.start(home, [], { program, env });
  try {
    expect((await again.application('guestbook-dev')).health.status).toBe('Healthy');
    expect(again.output).not.toContain('npm was called');
  } finally {
    await again.stop();
  }
});

test('finds its runtime again on another port, and after its database was wiped', async () => {
  test.setTimeout(180_000);
  const home = temporaryHome();
  const first = await Fairlead.start(home);
  const { platform } = first.endpoints;
  await first.stop();
  const ports = JSON.parse(readFileSync(join(home, 'data/ports.json'), 'utf8')) as { platform: number };
  const isSettled = ({ runtimes, applications }: Status) =>
    runtimes.every(({ status }) => status === 'connected') && applications.total === 3;

  const moved = await Fairlead.start(home, ['--port', String(ports.platform === 31_999 ? 20_000 : ports.platform + 1)]);
  expect(moved.endpoints.platform).not.toBe(platform);
  await eventually('the runtime at the new port', () => statusOf(moved), isSettled, 30_000);
  await moved.stop();

  rmSync(join(home, 'data/postgres'), { recursive: true, force: true });
  rmSync(databaseDir(home), { recursive: true, force: true });
  const afterDatabase = await Fairlead.start(home);
  await eventually('everything is reported anew', () => statusOf(afterDatabase), isSettled, 30_000);
  await afterDatabase.stop();
});

for (const flags of [[], ['--split']]) {
  test(`loses nothing when each process in turn is killed${flags.length > 0 ? ', --split' : ''}`, async () => {
    test.setTimeout(240_000);
    const fairlead = await Fairlead.start(temporaryHome(), flags);
    try {
      const clone = await fairlead.clone();
      const { processes } = await statusOf(fairlead);
      for (const [name, pid] of Object.entries(processes)) {
        process.kill(pid, 'SIGKILL');
        await eventually(
          `${name} comes back after kill -9`,
          () => statusOf(fairlead),
          (now) => now.processes[name] !== pid && now.runtimes.every(({ status }) => status === 'connected'),
          30_000,
        );
        // Everything from before is there, and the whole way works again, both ways.
        const image = `example.com/guestbook:after-${name}`;
        clone.edit('dev/deployment.yaml', (text) => text.replace(/image: .*/, `image: ${image}`));
        const revision = await clone.push(`Deploy after ${name} was killed`);
        await eventually(
          `a push after ${name} was killed`,
          () => fairlead.application('guestbook-dev'),
          (form) => form.sync.revision === revision && form.images.includes(image) && form.health.status === 'Healthy',
          30_000,
        );
        await fairlead.run('app', 'sync', 'guestbook-dev');
      }
      expect((await fairlead.application('guestbook-prod')).health.status).toBe('Healthy');
    } finally {
      await fairlead.stop();
    }
  });
}

test('starts again after kill -9 of the supervisor, and leaves no process of it behind', async () => {
  const home = temporaryHome();
  const first = await Fairlead.start(home);
  const { processes } = await statusOf(first);
  await first.stop('SIGKILL');
  await eventually(
    'the roles end by themselves',
    async () => Object.entries(processes).filter(([name, pid]) => name !== 'postgres' && isAlive(pid)),
    (alive) => alive.length === 0,
  );
  const second = await Fairlead.start(home);
  try {
    expect(isAlive(processes['postgres'] ?? 0)).toBe(false);
    expect((await second.application('guestbook-dev')).health.status).toBe('Healthy');
  } finally {
    await second.stop();
  }
});

interface Status {
  readonly processes: Readonly<Record<string, number>>;
  readonly runtimes: readonly { readonly status: string }[];
  readonly applications: { readonly total: number };
}

async function statusOf(fairlead: Fairlead): Promise<Status> {
  const [runtimes, applications] = await Promise.all([
    fairlead.get<{ items: Status['runtimes'] }>('/runtimes'),
    fairlead.get<{ summary: Status['applications'] }>('/applications?limit=1'),
  ]);
  return { processes: fairlead.processes, runtimes: runtimes.items, applications: applications.summary };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // no such process
  }
}

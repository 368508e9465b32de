import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '@fairlead/base';
import { expect, test } from '@playwright/test';
import { databaseDir, databaseHasBegun, eventually, Fairlead, killedStart, root, temporaryHome } from './harness.ts';

// One home through all its ends, each found again by the next start.
test.describe
  .serial('a home is found again', () => {
    const home = temporaryHome();
    let fairlead: Fairlead;
    let revision: string;

    const isDeployed = async () => {
      const form = await fairlead.application('guestbook-prod');
      return (
        form.sync.revision === revision &&
        form.health.status === 'Healthy' &&
        form.images.includes('example.com/guestbook:v7')
      );
    };
    const isSettled = async () => {
      const { runtimes, applications } = await statusOf(fairlead);
      return runtimes.every(({ status }) => status === 'connected') && applications.total === 3;
    };

    test.beforeAll(async () => {
      await killedStart(home, () => databaseHasBegun(home)); // nothing of it stands in the way of the next
      fairlead = await Fairlead.start(home);
      const clone = await fairlead.clone();
      clone.edit('prod/deployment.yaml', (text) => text.replace(/image: .*/, 'image: example.com/guestbook:v7'));
      revision = await clone.push('Deploy v7 to prod');
      await eventually('v7 in prod', isDeployed, Boolean);
    });

    test.afterAll(() => fairlead.stop());

    test('after SIGTERM, and without a network: nothing is installed, nothing is fetched', async () => {
      const { endpoints, apiKey } = fairlead;
      await fairlead.stop('SIGTERM');
      await expect(fetch(endpoints.platform)).rejects.toThrow();

      const program = [join(root, 'scripts/start.mjs')];
      fairlead = await Fairlead.start(home, [], { program, env: withoutNetwork() });
      expect(fairlead.endpoints).toEqual(endpoints);
      expect(fairlead.apiKey).toBe(apiKey);
      await eventually('v7 after the restart', isDeployed, Boolean);
      expect(fairlead.output).not.toContain('npm was called');
    });

    test('at once after kill -9 of the supervisor, of which no process is left, and on another port', async () => {
      const { processes } = await statusOf(fairlead);
      const { platform, ...others } = fairlead.endpoints;
      const { runtime = 0 } = processes;
      process.kill(runtime, 'SIGSTOP'); // on a busy machine processes take their time to end
      await fairlead.stop('SIGKILL');
      setTimeout(() => process.kill(runtime, 'SIGCONT'), 1_500);
      const port = Number(new URL(platform).port);
      fairlead = await Fairlead.start(home, ['--port', String(port === 31_999 ? 20_000 : port + 1)]);
      expect(Object.entries(processes).filter(([, pid]) => isAlive(pid))).toEqual([]);
      const { platform: now, ...same } = fairlead.endpoints;
      expect(now).not.toBe(platform);
      expect(same, 'nobody sat there any more').toEqual(others);
      await eventually('the runtime at the new port', isSettled, Boolean, 30_000);
      await eventually('v7 after the kill', isDeployed, Boolean);
    });

    test('after its database was wiped: everything is reported anew', async () => {
      expect(await fairlead.run('down')).toMatch(/^Stopped/);
      rmSync(join(home, 'data/postgres'), { recursive: true, force: true });
      rmSync(databaseDir(home), { recursive: true, force: true });
      fairlead = await Fairlead.start(home);
      await eventually('everything is reported anew', isSettled, Boolean, 30_000);
      await eventually('v7 without the database', isDeployed, Boolean);
    });

    test('or not: `reset` deletes all of it, once nothing of it runs', async () => {
      const running = fairlead.run('reset', '--yes');
      await expect(running).rejects.toThrow(/Fairlead runs in .* stop it first with fairlead down/);
      const { postgres = 0 } = fairlead.processes;
      await fairlead.stop('SIGKILL');
      expect(await fairlead.run('down')).toMatch(/is not running in .*; its PostgreSQL, left by a start .* is stopped/);
      expect(isAlive(postgres)).toBe(false);
      expect(await fairlead.run('reset', '--yes')).toMatch(/^Deleted everything/);
      expect(readdirSync(home)).toEqual([]);
      expect(existsSync(databaseDir(home))).toBe(false);
    });
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

/** Proxies that nobody answers at, and an npm that says so when it is called. */
function withoutNetwork(): NodeJS.ProcessEnv {
  const tools = join(temporaryHome(), 'bin');
  mkdirSync(tools);
  writeFileSync(join(tools, 'npm'), '#!/bin/sh\necho npm was called >&2\nexit 1\n', { mode: 0o755 });
  const { npm_execpath: _npm, ...inherited } = process.env;
  const nowhere = 'http://127.0.0.1:9';
  const proxies = { HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, http_proxy: nowhere, https_proxy: nowhere };
  return { ...inherited, ...proxies, NO_PROXY: '', no_proxy: '', PATH: `${tools}:${process.env['PATH']}` };
}

import { expect, test } from '@playwright/test';
import { eventually, Fairlead, temporaryHome } from './harness.ts';

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

test('heals what is killed while it runs', async () => {
  const fairlead = await Fairlead.start(temporaryHome());
  try {
    const status = JSON.parse(await fairlead.run('status', '-o', 'json')) as { processes: Record<string, number> };
    for (const [name, pid] of Object.entries(status.processes)) {
      process.kill(pid, 'SIGKILL');
      await eventually(
        `${name} comes back after kill -9`,
        async () =>
          JSON.parse(await fairlead.run('status', '-o', 'json')) as {
            processes: Record<string, number>;
            runtimes: { status: string }[];
          },
        (now) => now.processes[name] !== pid && now.runtimes.every((runtime) => runtime.status === 'connected'),
        30_000,
      );
      await fairlead.run('app', 'sync', 'guestbook-dev');
    }
  } finally {
    await fairlead.stop();
  }
});

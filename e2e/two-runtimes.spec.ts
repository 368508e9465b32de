// Two runtimes side by side on one machine: each with a cluster and applications of its own, joined to the platform by
// its own tunnel only. What happens to one does not touch the other.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { eventually, Fairlead, SampleClone, temporaryHome } from './harness.ts';

interface Row {
  readonly name: string;
  readonly status: string;
}

interface ApplicationRow {
  readonly id: { readonly runtime: string; readonly name: string };
  readonly health: { readonly status: string };
  readonly sync: { readonly status: string };
}

interface Component {
  readonly name: string;
  readonly version: string;
  readonly health: string;
}

const runtimes = async (fairlead: Fairlead) =>
  Object.fromEntries((await fairlead.get<{ items: Row[] }>('/runtimes')).items.map((row) => [row.name, row.status]));

const applications = async (fairlead: Fairlead) =>
  (await fairlead.get<{ items: ApplicationRow[] }>('/applications')).items;

const home = temporaryHome();
let fairlead: Fairlead;

test.beforeAll(async () => {
  fairlead = await Fairlead.start(home);
});

test.afterAll(() => fairlead.stop());

test('a second runtime deploys beside the first, goes offline without harm, and is found again', async () => {
  test.setTimeout(180_000);
  expect(await fairlead.run('runtime', 'install', '--name', 'r2', '--embedded')).toContain('Runtime r2 is connected');
  expect(await runtimes(fairlead)).toEqual({ hosted: 'connected', r2: 'connected' });
  await deployOn(fairlead, 'r2');
  const isSteady = (rows: readonly ApplicationRow[]) =>
    rows.length === 4 && rows.every(({ health, sync }) => health.status === 'Healthy' && sync.status === 'Synced');
  const rows = await eventually('four applications', () => applications(fairlead), isSteady, 60_000);
  expect(rows.filter(({ id }) => id.runtime === 'r2').map(({ id }) => id.name)).toEqual(['guestbook-edge']);

  await fairlead.run('runtime', 'stop', 'r2');
  await eventually(
    'r2 offline',
    () => runtimes(fairlead),
    (now) => now['r2'] === 'offline',
    25_000,
  );
  expect((await runtimes(fairlead))['hosted']).toBe('connected');
  await fairlead.run('app', 'sync', 'guestbook-dev');

  await fairlead.stop();
  fairlead = await Fairlead.start(home);
  expect(await runtimes(fairlead), 'what was stopped stays stopped').toMatchObject({ r2: 'offline' });
  await fairlead.run('runtime', 'start', 'r2');
  await fairlead.stop();
  fairlead = await Fairlead.start(home);
  const bothConnected = (now: Record<string, string>) => now['hosted'] === 'connected' && now['r2'] === 'connected';
  await eventually('both after a restart', () => runtimes(fairlead), bothConnected, 30_000);
  await eventually('their applications', () => applications(fairlead), isSteady, 30_000);
  expect(await fairlead.run('runtime', 'logs', 'r2', '--component', 'tunnel-client')).toContain('tunnel-client');

  for (const runtime of ['hosted', 'r2']) {
    await eventually(`components of ${runtime}`, () => wellComponents(runtime), areAll);
  }
  await fairlead.run('runtime', 'uninstall', 'r2', '--yes');
  expect(await runtimes(fairlead)).toEqual({ hosted: 'connected' });
  expect(existsSync(join(home, 'runtimes/r2'))).toBe(false);
});

test('a second runtime can be removed from every half-installed state', async () => {
  test.setTimeout(180_000);
  const api = (path: string, init: RequestInit) =>
    fetch(`${fairlead.endpoints.platform}/api/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${fairlead.apiKey}`, 'content-type': 'application/json' },
    });
  await api('/runtimes', { method: 'POST', body: JSON.stringify({ name: 'r2', kind: 'hybrid' }) });
  await fairlead.run('runtime', 'uninstall', 'r2', '--yes');
  expect(await runtimes(fairlead), 'known at the platform, nothing on disk').toEqual({ hosted: 'connected' });

  const installing = fairlead.run('runtime', 'install', '--name', 'r2', '--embedded').catch(() => undefined);
  const folder = join(home, 'runtimes/r2');
  await eventually('the install has begun', async () => existsSync(folder), Boolean);
  await fairlead.stop('SIGKILL');
  await installing;
  expect(await fairlead.run('runtime', 'uninstall', 'r2', '--yes')).toContain('at the next start');
  fairlead = await Fairlead.start(home);
  await eventually(
    'gone',
    async () => existsSync(folder),
    (there) => !there,
  );
  expect(await runtimes(fairlead), 'killed in the middle of installing').toEqual({ hosted: 'connected' });

  await fairlead.run('runtime', 'install', '--name', 'r2', '--embedded');
  await fairlead.stop();
  rmSync(join(folder, 'data'), { recursive: true });
  rmSync(join(folder, 'wanted.json'));
  fairlead = await Fairlead.start(home);
  await eventually(
    'gone',
    async () => existsSync(folder),
    (there) => !there,
  );
  expect(await runtimes(fairlead), 'killed at the end of an uninstall').toEqual({ hosted: 'connected' });
});

async function wellComponents(runtime: string): Promise<string[]> {
  const { items } = JSON.parse(await fairlead.run('component', 'list', runtime, '-o', 'json')) as {
    items: Component[];
  };
  return items.filter(({ health, version }) => health === 'Healthy' && version !== '').map(({ name }) => name);
}

const areAll = (names: readonly string[]) =>
  names.join() ===
  'cluster,engine,source-server,app-proxy,request-router,tunnel-client,application-reporter,resource-reporter,change-revision';

async function deployOn(fairlead: Fairlead, runtime: string): Promise<void> {
  const { git } = fairlead.endpoints;
  const repository = `${git}/demo/edge.git`;
  await fairlead.run(
    ...['git-source', 'create', 'edge', '--runtime', runtime, '--git-src-repo', repository, '--create-repo'],
  );
  const clone = await SampleClone.of(repository, fairlead.apiKey);
  clone.write(
    'guestbook-edge.yaml',
    `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: guestbook-edge, namespace: argocd }
spec:
  project: default
  source: { repoURL: '${git}/demo/guestbook.git', path: dev, targetRevision: main }
  destination: { server: https://kubernetes.default.svc, namespace: guestbook-edge }
  syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: [CreateNamespace=true] }
`,
  );
  await clone.push('Deploy the guestbook at the edge');
}

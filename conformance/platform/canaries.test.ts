// Secrets of every kind, each a text that exists nowhere else, put where secrets are in a real runtime. Then everything that
// left the runtime and everything that the platform holds or answers is searched for them: reported bytes, database,
// answers of every route, metrics, and the logs of all roles at their most talkative.
import { createLogger, sha256Hex } from '@fairlead/base';
import { clusterCredentialsPurpose, fillPath, gitTokenPurpose, type Route, routes, seal } from '@fairlead/contracts';
import { adminKey, dumpDatabase } from '@fairlead/platform/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Repository } from '../engine/world.ts';
import { type House, registerHosted, startHouse } from '../runtime/world.ts';
import { startWireTap, type WireTap } from './wire-tap.ts';

const kinds = [
  'Secret data',
  'Secret stringData',
  'repository credentials',
  'cluster credentials',
  'user Git token',
  'webhook secret',
  'secret of a webhook of the account',
  'Helm parameter',
  'Helm values',
  'error text',
  'environment of a pod',
] as const;
const canaryOf = (kind: (typeof kinds)[number]) => `k4n${sha256Hex(kind).slice(0, 29)}`;
const canaries = kinds.map((kind) => ({ kind, canary: canaryOf(kind) }));

/** The forms in which a text may hide. */
function formsOf(text: string): string[] {
  const inBase64 = [0, 1, 2].map((shift) => {
    const coded = Buffer.from(`${'\0'.repeat(shift)}${text}`).toString('base64');
    return coded.slice(shift === 0 ? 0 : 4, -4);
  });
  return [text, [...text].reverse().join(''), Buffer.from(text).toString('hex'), ...inBase64];
}
const foundIn = (haystack: string) =>
  canaries.filter(({ canary }) => formsOf(canary).some((form) => haystack.includes(form))).map(({ kind }) => kind);

let house: House;
let tap: WireTap;
let repository: Repository;
const logged: string[] = [];
const runtime = { runtime: 'hosted' };
const id = { ...runtime, namespace: 'argocd', name: 'guarded' };
const api = () => house.platform.api;

const manifests = {
  'app/secret.yaml': `apiVersion: v1
kind: Secret
metadata: { name: hidden }
data: { a: ${Buffer.from(canaryOf('Secret data')).toString('base64')} }
stringData: { b: ${canaryOf('Secret stringData')} }
`,
  'app/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: registry.example/web:v1
          env: [{ name: DB_PASSWORD, value: ${canaryOf('environment of a pod')} }]
`,
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'chart/templates/secret.yaml':
    'apiVersion: v1\nkind: Secret\nmetadata: { name: from-chart }\nstringData: { a: "{{ .Values.db.password }}", b: "{{ .Values.apiToken }}" }\n',
};

async function sealed(text: string, purpose: (userId: string) => string) {
  const [{ key }, { user }] = await Promise.all([
    api().call('getSealingKey', { params: runtime }),
    api().call('me', {}),
  ]);
  return seal(text, { to: key, purpose: purpose(user.id) });
}

async function plantInCluster(): Promise<void> {
  const { client } = house.world;
  const secret = (name: string, type: string, stringData: Record<string, string>) =>
    client.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': type } },
      stringData,
    });
  const credentials = { username: 'robot', password: canaryOf('repository credentials') };
  await secret('repo-private', 'repository', { url: 'https://git.invalid/private.git', ...credentials });
  await secret('webhooks', 'webhook', { 'webhook.github.secret': canaryOf('webhook secret') });
}

async function plantThroughPlatform(): Promise<void> {
  const hook = { name: 'canary', url: 'https://hooks.example.com/x', kinds: ['key-expires' as const] };
  const secret = canaryOf('secret of a webhook of the account');
  await api().call('createWebhook', { body: { ...hook, secret } });
  const host = new URL(house.world.gitUrl).host;
  const token = await sealed(canaryOf('user Git token'), (userId) => gitTokenPurpose({ userId, host }));
  const body = { provider: 'builtin' as const, url: house.world.gitUrl, sealed: token };
  await api()
    .call('putGitToken', { params: { ...runtime, host }, body })
    .catch(() => undefined); // refused by the provider, in words that must not hold it
  const server = 'https://127.0.0.1:1';
  const text = JSON.stringify({ bearerToken: canaryOf('cluster credentials') });
  const credentials = await sealed(text, (userId) => clusterCredentialsPurpose({ userId, server }));
  await api()
    .call('addCluster', { params: runtime, body: { name: 'away', server, sealed: credentials } })
    .catch(() => undefined); // it does not answer, or there is no configuration yet
}

async function plantApplications(): Promise<void> {
  const { world } = house;
  const destination = { server: 'https://kubernetes.default.svc', namespace: 'guarded' };
  const automated = { automated: {} };
  const common = { project: 'default', destination, syncPolicy: automated };
  const source = { repoURL: repository.url, targetRevision: 'main' };
  await world.application('guarded', { ...common, source: { ...source, path: 'app' } });
  const helm = {
    parameters: [{ name: 'db.password', value: canaryOf('Helm parameter') }],
    values: `apiToken: ${canaryOf('Helm values')}\nreplicas: 1\n`,
  };
  await world.application('charted', { ...common, source: { ...source, path: 'chart', helm } });
  const broken = repository.url.replace('//', `//robot:${canaryOf('error text')}@`).replace('guarded.git', 'gone.git');
  await world.application('broken', { ...common, source: { repoURL: broken, path: '.', targetRevision: 'main' } });
}

beforeAll(async () => {
  const log = createLogger({ role: 'test', level: 'debug', destination: { write: (line) => void logged.push(line) } });
  house = await startHouse({ log });
  tap = await startWireTap(house.platform.url);
  await house.startRuntime();
  repository = await house.world.repository('demo/guarded');
  await repository.push(manifests, 'first');
  await house.world.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'guarded' } });
  await registerHosted(house, tap.url);
  await eventually(async () => {
    expect((await api().call('getRuntime', { params: runtime })).status).toBe('connected');
  }, 60_000);
  await plantInCluster();
  await plantThroughPlatform();
  await plantApplications();
  await eventually(async () => {
    for (const name of ['guarded', 'charted']) {
      const { row, report } = await api().call('getApplication', { params: { ...id, name } });
      expect(row.sync.status).toBe('Synced');
      expect(report.resources.every(({ live }) => live !== undefined)).toBe(true);
    }
    const { report } = await api().call('getApplication', { params: { ...id, name: 'broken' } });
    expect(report.conditions.length).toBeGreaterThan(0);
  }, 60_000);
}, 180_000);
afterAll(async () => {
  await house?.stop();
  await tap?.stop();
});

describe('no planted secret', () => {
  it('is missing from where it was planted, so that the search means something', async () => {
    const secrets = await house.world.client.list({ apiVersion: 'v1', kind: 'Secret', namespace: 'guarded' });
    const kept = foundIn(JSON.stringify(secrets.items));
    expect(kept).toEqual(expect.arrayContaining(['Secret data', 'Secret stringData', 'Helm parameter', 'Helm values']));
    expect(tap.sent.some((text) => text.includes('registry.example/web:v1'))).toBe(true);
    expect(logged.length).toBeGreaterThan(20);
  });

  it('leaves the runtime in a report or a question', () => {
    expect(
      tap.sent.filter((text) => foundIn(text).length > 0).map((text) => `${foundIn(text)} in ${text.slice(0, 60)}`),
    ).toEqual([]);
  });

  it('is in any row of the database', async () => {
    const dump = await dumpDatabase(house.platform.databaseUrl);
    const found = [...dump].flatMap(([table, rows]) => foundIn(rows.join('\n')).map((kind) => `${kind} in ${table}`));
    expect(dump.size).toBeGreaterThan(10);
    expect(found).toEqual([]);
  });

  it('is in an answer of the platform, or in its metrics', async () => {
    const paths = ['/metrics'];
    for (const name of ['guarded', 'charted', 'broken']) {
      const params = {
        ...id,
        name,
        rule: 'x',
        host: 'x',
        cluster: 'away',
        gitSource: 'x',
        accessRule: 'x',
        webhook: 'x',
      };
      const reading = Object.values<Route>(routes).filter(({ method, produces }) => method === 'GET' && !produces);
      paths.push(
        ...reading.map(({ path }) => fillPath(path, { ...params, user: 'admin', team: 'x', key: 'x', session: 'x' })),
      );
      const { report } = await api().call('getApplication', { params: { ...id, name } });
      const { path } = routes.getApplicationResource;
      for (const { group, kind, namespace, name: resource } of report.resources) {
        const query = new URLSearchParams({ group, kind, namespace, resource });
        paths.push(`${fillPath(path, { ...id, name })}?${query}`);
        paths.push(`${fillPath(routes.getLiveResource.path, { ...id, name })}?${query}`);
      }
    }
    const found: string[] = [];
    for (const path of new Set(paths)) {
      const answer = await fetch(`${house.platform.url}${path}`, {
        headers: { authorization: `Bearer ${adminKey}` },
        signal: AbortSignal.timeout(3_000),
      }).catch(() => undefined); // a stream that does not end
      const text = (await answer?.text().catch(() => '')) ?? '';
      found.push(...foundIn(text).map((kind) => `${kind} in ${path}`));
    }
    expect(found).toEqual([]);
  }, 120_000);

  it('is in a log line of any role', () => {
    expect(
      logged.filter((line) => foundIn(line).length > 0).map((line) => `${foundIn(line)}: ${line.slice(0, 200)}`),
    ).toEqual([]);
  });
});

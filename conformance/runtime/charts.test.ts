// Charts and Git behind a certificate of the company's own, in what the runtime itself renders: previews, plans and change
// revisions.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exec, Lifecycle, silentLogger } from '@fairlead/base';
import { selfSigned } from '@fairlead/base/testing';
import { gitTokenPurpose, seal } from '@fairlead/contracts';
import { WorkingCopy } from '@fairlead/git';
import { changeRevisionRole } from '@fairlead/runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { byKubeconfig } from '../by-kubeconfig.ts';
import { eventually, type Repository } from '../engine/world.ts';
import { type House, registerHosted, startHouse } from './world.ts';

let house: House;
let values: Repository;
let charts: Server;
let chartsUrl: string;
const lifecycle = new Lifecycle(silentLogger);
const runtime = { runtime: 'hosted' };
const api = () => house.platform.api;

async function archiveOfChart(): Promise<Buffer> {
  const dir = await mkdtemp(join(tmpdir(), 'fairlead-private-charts-'));
  const copy = await WorkingCopy.init(join(dir, 'chart'));
  await copy.write({
    'shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.2.0\n',
    'shop/values.yaml': 'text: default\n',
    'shop/templates/c.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: shop }\ndata: { text: {{ .Values.text | quote }} }\n',
  });
  await exec('tar', ['-czf', join(dir, 'shop.tgz'), '-C', copy.dir, 'shop']);
  const content = await readFile(join(dir, 'shop.tgz'));
  await rm(dir, { recursive: true });
  return content;
}

/** By the ConfigMap that Argo CD has for it, which may be there already. */
async function trust(cert: string): Promise<void> {
  const metadata = { name: 'argocd-tls-certs-cm', namespace: 'argocd' };
  const ref = { group: '', version: 'v1', kind: 'ConfigMap', ...metadata };
  const { client } = house.world;
  const data = { '127.0.0.1': cert };
  await client
    .create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data })
    .catch(() => client.patch(ref, { data }, { type: 'merge' }));
}

beforeAll(async () => {
  const archive = await archiveOfChart();
  const index = 'apiVersion: v1\nentries:\n  shop:\n  - version: 1.2.0\n    urls: [shop-1.2.0.tgz]\n';
  const expected = `Basic ${Buffer.from('reader:chart-key').toString('base64')}`;
  const certificate = await selfSigned();
  charts = createServer(certificate, (incoming, response) => {
    const { method, url, headers } = incoming;
    if (/^\/(demo|api)\//.test(url ?? '')) {
      const passed = request(`${house.world.gitUrl}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      return incoming.pipe(passed);
    }
    if (headers.authorization !== expected) return response.writeHead(401).end();
    return response.end(url === '/index.yaml' ? index : archive);
  });
  await new Promise<void>((resolve) => charts.listen(0, '127.0.0.1', resolve));
  chartsUrl = `https://127.0.0.1:${(charts.address() as AddressInfo).port}`; // a listening TCP server has one
  house = await startHouse();
  await trust(certificate.cert);
  await house.startRuntime();
  await registerHosted(house);
  await house.world.client.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'charts', namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'repository' } },
    stringData: { type: 'helm', name: 'charts', url: chartsUrl, username: 'reader', password: 'chart-key' },
  });
  await house.world.client.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'git', namespace: 'argocd', labels: { 'argocd.argoproj.io/secret-type': 'repo-creds' } },
    stringData: { type: 'git', url: `${chartsUrl}/demo`, username: 'test', password: 'test-key' },
  });
  values = await house.world.repository('demo/values');
  await values.push({ 'shop.yaml': 'text: one\n', 'apps/README.md': 'here' });
  const spec = {
    project: 'default',
    source: { repoURL: values.url, path: 'apps', targetRevision: 'main' },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'argocd' },
  };
  await house.world.application('source', spec, { labels: { 'fairlead.io/entity': 'git-source' } });
  await eventually(async () => {
    expect((await api().call('getRuntime', { params: runtime })).status).toBe('connected');
  }, 60_000);
  await eventually(() => giveToken(house.world.gitUrl));
}, 180_000);

afterAll(async () => {
  await lifecycle.stop();
  await house?.stop();
  charts.closeAllConnections();
  await new Promise((resolve) => charts.close(resolve));
});

async function giveToken(url: string): Promise<void> {
  const { host } = new URL(url);
  const { key } = await api().call('getSealingKey', { params: runtime });
  const { user } = await api().call('me', {});
  const sealed = await seal('test-key', { to: key, purpose: gitTokenPurpose({ userId: user.id, host }) });
  await api().call('putGitToken', { params: { ...runtime, host }, body: { provider: 'builtin', url, sealed } });
}

const manifest = (version: string, project = 'default') => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: preview }
spec:
  project: ${project}
  source: { repoURL: ${chartsUrl}, chart: shop, targetRevision: ${version} }
  destination: { server: https://kubernetes.default.svc, namespace: shop }
`;
const preview = (text: string) =>
  api().call('previewApplication', { params: runtime, body: { manifest: text, gitSource: { name: 'source' } } });

it('a preview shows what a chart would deploy, and says when there is no such version', async () => {
  await eventually(async () => {
    const made = await preview(manifest('1.x'));
    expect(made).toMatchObject({ problems: [], revision: '1.2.0', manifests: [{ data: { text: 'default' } }] });
  });
  const { problems } = await preview(manifest('9.x'));
  expect(problems).toMatchObject([{ field: 'spec.source.chart', reason: expect.stringContaining('9.x') }]);
});

it('a preview renders several sources together, a chart with the values that Git lends it', async () => {
  const several = manifest('1.x').replace(
    /source: \{ (.*) \}/,
    `sources: [{ $1, helm: { valueFiles: [$values/shop.yaml] } }, { repoURL: ${values.url}, targetRevision: main, ref: values }]`,
  );
  await values.push({ 'shop.yaml': 'text: lent\n' }, 'values for the preview');
  const made = await preview(several);
  expect(made).toMatchObject({ problems: [], manifests: [{ data: { text: 'lent' } }] });
  expect(made.revision).toMatch(/^1\.2\.0, [0-9a-f]{40}$/);
  const missing = await preview(several.replace('targetRevision: main', 'targetRevision: nowhere'));
  expect(missing.problems).toMatchObject([{ field: 'spec.sources.1.targetRevision' }]);
});

it('a preview reads no chart for a project that forbids its repository', async () => {
  await house.world.client.create({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'narrow', namespace: 'argocd' },
    spec: { sourceRepos: ['https://example.com/*'], destinations: [{ server: '*', namespace: '*' }] },
  });
  const made = await eventually(async () => {
    const answer = await preview(manifest('1.x', 'narrow'));
    expect(JSON.stringify(answer.problems)).toContain('does not allow repository');
    return answer;
  });
  expect(made.manifests).toBeUndefined();
});

it('plan and change revision follow the values that Git lends to a chart', async () => {
  const config = {
    kubeconfigFile: join(house.world.dir, 'kubeconfig'),
    ...byKubeconfig,
    runtimeNamespace: 'fairlead',
    engineNamespace: 'argocd',
    sourceServerUrl: house.urls.sourceServer,
    changeRevisionWriting: 'auto',
    changeRevisionPort: undefined,
  };
  await changeRevisionRole.start(config, { log: silentLogger, lifecycle });
  const used = await values.push({ 'shop.yaml': 'text: two\n' }, 'used');
  await values.push({ 'other.yaml': 'x: 1\n' }, 'not used');
  await house.world.application('shop', {
    project: 'default',
    destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
    syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] },
    sources: [
      { repoURL: chartsUrl, chart: 'shop', targetRevision: '1.x', helm: { valueFiles: ['$values/shop.yaml'] } },
      { repoURL: values.url, targetRevision: 'main', ref: 'values' },
    ],
  });
  await eventually(async () => {
    const sync = (await house.world.app('shop')).status?.operationState?.operation.sync;
    expect(sync).toMatchObject({ changeRevisions: ['1.2.0', used] });
  }, 30_000);
  const { work } = values;
  await work.git('checkout', '--quiet', '-B', 'next');
  await work.write({ 'shop.yaml': 'text: three\n' });
  await work.commit('next');
  await work.git('push', '--quiet', values.url.replace('//', '//test:test-key@'), 'HEAD:next');
  const made = await api().call('createPlan', { params: runtime, body: { repoURL: values.url, to: 'next' } });
  expect(made.applications).toMatchObject([
    { name: 'shop', change: 'changed', objects: [{ after: { data: { text: 'three' } } }] },
  ]);
});

it('a change revision is found where only the engine’s certificate makes the git server trustworthy', async () => {
  const repoURL = `${chartsUrl}/demo/values.git`;
  const used = await values.push(
    { 'inside/c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: inside }\n' },
    'used',
  );
  await house.world.application('inside', {
    project: 'default',
    destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
    syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] },
    source: { repoURL, path: 'inside', targetRevision: 'main' },
  });
  await eventually(async () => {
    const sync = (await house.world.app('inside')).status?.operationState?.operation.sync;
    expect(sync).toMatchObject({ changeRevision: used });
  }, 30_000);
});

it('a person’s token is probed, and a preview made for them, at a provider of that authority', async () => {
  await giveToken(chartsUrl);
  const source = `{ repoURL: ${chartsUrl}/demo/values.git, path: inside, targetRevision: main }`;
  const made = await preview(manifest('').replace(/source: .*/, `source: ${source}`));
  expect(made).toMatchObject({ problems: [], manifests: [{ metadata: { name: 'inside' } }] });
});

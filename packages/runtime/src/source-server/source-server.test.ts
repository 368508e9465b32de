// The source server over real sockets, with repositories of the system's git.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRegistry, type FairleadError, listen, type Registry, silentLogger } from '@fairlead/base';
import { GitMirrors, WorkingCopy } from '@fairlead/git';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSourceServer, Rendering, SourceClient, SourceRefusedError, Sources } from './index.ts';
import { SourceKey } from './source-key.ts';

const stops: (() => unknown)[] = [];
const key = new SourceKey('one');
let client: SourceClient;
let url: string;
let registry: Registry;
let sources: Sources;
let rendering: Rendering;
let web: WorkingCopy;
let values: WorkingCopy;
let first: string;
let second: string;
const { signal } = new AbortController();

const configMap = (text: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: greeting }\ndata: { text: ${text} }\n`;

beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'fairlead-source-server-'));
  stops.push(() => rm(dir, { recursive: true, force: true }));
  web = await WorkingCopy.init(join(dir, 'web'));
  await web.write({ 'a/c.yaml': configMap('one'), 'b/c.yaml': configMap('one') });
  first = await web.commit('first');
  await web.write({ 'a/c.yaml': configMap('two') });
  second = await web.commit('change a');
  values = await WorkingCopy.init(join(dir, 'values'));
  await values.write({ 'v.yaml': 'text: lent\n' });
  await values.commit('values');
  await web.write({
    'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
    'chart/templates/c.yaml': configMap('{{ .Values.text }}').replace('greeting', 'from-chart'),
    'broken/c.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: [',
  });
  await web.commit('a chart');
  const mirrors = new GitMirrors({ dir: join(dir, 'mirrors'), log: silentLogger, allowFile: true });
  stops.push(() => mirrors.stop());
  rendering = new Rendering({ dir, known: () => [] });
  stops.push(() => rendering.stop());
  registry = createRegistry('source-server');
  sources = new Sources({ mirrors, rendering, credentialsFor: () => undefined });
  const deps = { sources, key: () => key, isReady: () => true, registry, log: silentLogger };
  const { port, close } = await listen(createSourceServer(deps), { port: 0 });
  stops.push(() => close(0));
  url = `http://127.0.0.1:${port}`;
  client = new SourceClient({ url, key: () => Promise.resolve(key) });
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

const manifestsOf = (path: string, revision = '') => ({
  sources: [{ repoURL: web.dir, path }],
  revisions: [revision],
  application: 'web',
  namespace: 'team',
});

describe('the source server', () => {
  it('gives the manifests of a path at a revision, and the commit that it was', async () => {
    const answer = await client.ask('manifests', manifestsOf('a', first), { signal });
    expect(answer).toMatchObject({ revisions: [first], manifests: [{ data: { text: 'one' } }], warnings: [] });
    const newest = await client.ask('manifests', manifestsOf('a', 'main'), { signal });
    expect(newest.manifests).toMatchObject([{ data: { text: 'two' } }]);
  });

  it('renders several sources together, also one that only lends files', async () => {
    const lending = [
      { repoURL: web.dir, path: 'chart', helm: { valueFiles: ['$v/v.yaml'] } },
      { repoURL: values.dir, targetRevision: 'main', ref: 'v' },
    ];
    const ask = { ...manifestsOf('', 'main'), sources: lending, revisions: [] };
    const { manifests, revisions } = await client.ask('manifests', ask, { signal });
    expect(manifests).toMatchObject([{ metadata: { name: 'from-chart' }, data: { text: 'lent' } }]);
    expect(revisions).toHaveLength(2);
  });

  it('works once for many who ask the same at once', async () => {
    const before = { misses: rendering.renderer.counts.misses, ...sources.counts };
    const asks = Array.from({ length: 20 }, () => client.ask('manifests', manifestsOf('b', second), { signal }));
    const answers = await Promise.all(asks);
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(rendering.renderer.counts.misses).toBe(before.misses + 1);
    expect(sources.counts.running).toBe(0);
  });

  it('compares two sides and names what differs, and why a side cannot be told', async () => {
    const application = (name: string, repoURL = web.dir) => ({
      name,
      namespace: 'argocd',
      sources: [{ repoURL, path: name, targetRevision: 'main' }],
    });
    const applications = [application('a'), application('b'), application('c', 'https://example.com/hidden.git')];
    const trees = (commit: string) => [
      { repoURL: web.dir, revision: 'main', commit },
      { repoURL: 'https://example.com/hidden.git', revision: 'main', reason: 'no token for example.com' },
    ];
    const ask = { before: { applications, trees: trees(first) }, after: { applications, trees: trees(second) } };
    const plan = await client.ask('plan', ask, { signal, keys: [] });
    expect(plan.applications).toMatchObject([
      { name: 'a', change: 'changed', objects: [{ name: 'greeting', change: 'changed' }] },
      { name: 'b', change: 'unchanged' },
      { name: 'c', change: 'failed', error: 'no token for example.com' },
    ]);
  });

  it('names the commit that changed an application, the words of a commit, and the files between two', async () => {
    const head = await web.git('rev-parse', 'HEAD');
    const ask = { sources: [{ repoURL: web.dir, path: 'a' }], revisions: [head], application: 'web' };
    expect(await client.ask('change-revisions', ask, { signal })).toEqual([second]);
    const about = await client.ask('revision', { repoURL: web.dir, revision: second }, { signal });
    expect(about).toMatchObject({ revision: second, message: expect.stringContaining('change a') });
    const files = await client.ask('changed-files', { repoURL: web.dir, from: first, to: second }, { signal });
    expect(files).toEqual([{ path: 'a/c.yaml', change: 'changed' }]);
  });

  it('says in the words of the renderer what cannot be rendered', async () => {
    const asked = client.ask('manifests', manifestsOf('broken', 'main'), { signal });
    const error = await asked.catch((thrown: FairleadError) => thrown);
    expect(error).toBeInstanceOf(SourceRefusedError);
    expect(error).toMatchObject({ code: 'render_failed', message: expect.stringContaining('broken/c.yaml') });
  });

  it('answers nobody without the key of the runtime, and takes no keys sealed with another', async () => {
    const stranger = new SourceClient({ url, key: () => Promise.resolve(new SourceKey('two')) });
    await expect(stranger.ask('manifests', manifestsOf('a'), { signal })).rejects.toThrow('only components');
    const post = (body: unknown) =>
      fetch(`${url}/v1/manifests`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.bearer}` },
        body: JSON.stringify(body),
      });
    const foreign = { ...manifestsOf('a'), as: new SourceKey('two').seal([]) };
    expect((await post(foreign)).status).toBe(400);
    expect(await (await post({ ...manifestsOf('a'), sources: [] })).text()).toContain('sources');
    expect((await fetch(`${url}/v1/other`, { method: 'POST' })).status).toBe(404);
  });

  it('counts what it was asked', async () => {
    expect(await registry.metrics()).toMatch(/asks_total\{ask="manifests",outcome="ok",.*\} \d/);
  });
});

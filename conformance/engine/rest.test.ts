// The parts of the REST API that people use through the UI and the CLI: live objects, actions, logs, events, projects,
// repositories, sign-in.
import type { Application } from '@fairlead/contracts';
import { type KubeObject, valueAt } from '@fairlead/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Repository, startWorld, type World } from './world.ts';

let world: World;
let repo: Repository;
const app = '/api/v1/applications/web';

beforeAll(async () => {
  world = await startWorld();
  repo = await world.repository('demo/web');
  await repo.push({
    'web/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
`,
    'web/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata: {key: "1"}\n',
  });
  await world.application('web', {
    project: 'default',
    source: { repoURL: repo.url, path: 'web', targetRevision: 'main' },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'web' },
    syncPolicy: { syncOptions: ['CreateNamespace=true'] },
  });
  await eventually(async () => expect((await world.app('web')).status?.sync?.status).toBe('OutOfSync'));
  const infos = [{ name: 'fairlead.io/initiated-by', value: 'Ana <ana@example.com>' }];
  await send('POST', `${app}/sync`, { infos });
  await eventually(async () => expect((await world.app('web')).status?.health?.status).toBe('Healthy'));
}, 60_000);
afterAll(() => world.stop());

const send = (method: string, path: string, body?: unknown) =>
  world.api(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
const deployment = { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'web', name: 'web' };
const configMap = { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'web', name: 'm' };
const queryOf = ({ name, ...ref }: typeof deployment) => new URLSearchParams({ ...ref, resourceName: name }).toString();

it('keeps who asked for a sync and what they said', async () => {
  const { status } = await world.app('web');
  expect(status?.operationState?.operation).toMatchObject({
    initiatedBy: { username: 'Ana <ana@example.com>' },
    info: [{ name: 'fairlead.io/initiated-by' }],
  });
  expect(status?.history).toMatchObject([{ initiatedBy: { username: 'Ana <ana@example.com>' } }]);
});

it('refuses to roll back while auto-sync is on, in the words of Argo CD', async () => {
  const automated = { syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'] } };
  await send('PATCH', app, { patchType: 'merge', patch: JSON.stringify({ spec: automated }) });
  await eventually(async () =>
    expect(await send('POST', `${app}/rollback`, { id: 0 })).toMatchObject({
      status: 400,
      body: { code: 9, message: 'rollback cannot be initiated when auto-sync is enabled' },
    }),
  );
  await send('PATCH', app, {
    patchType: 'merge',
    patch: JSON.stringify({ spec: { syncPolicy: { automated: null } } }),
  });
});

describe('live objects', () => {
  it('are patched and deleted, but only those of the application', async () => {
    await send(
      'POST',
      `${app}/resource?${queryOf(configMap)}&patchType=application/merge-patch%2Bjson`,
      JSON.stringify({ data: { key: '2' } }),
    );
    expect(valueAt(await world.get(configMap), 'data', 'key')).toBe('2');
    const foreign = { ...configMap, namespace: 'argocd' };
    expect(await send('DELETE', `${app}/resource?${queryOf(foreign)}`)).toMatchObject({ status: 400 });
    expect((await send('DELETE', `${app}/resource?${queryOf(configMap)}`)).status).toBe(200);
    await eventually(async () => expect(await world.get(configMap)).toBeUndefined());
  });

  it('have actions: restart and scale', async () => {
    const { body } = await world.api(`${app}/resource/actions?${queryOf(deployment)}`);
    expect((body as { actions: { name: string }[] }).actions.map(({ name }) => name)).toEqual([
      'restart',
      'pause',
      'resume',
      'scale',
    ]);
    expect((await send('POST', `${app}/resource/actions?${queryOf(deployment)}`, 'restart')).status).toBe(200);
    const annotations = valueAt(await world.get(deployment), 'spec', 'template', 'metadata', 'annotations');
    expect(annotations).toHaveProperty(['kubectl.kubernetes.io/restartedAt']);
    const { name: resourceName, ...ref } = deployment;
    const scale = {
      ...ref,
      resourceName,
      action: 'scale',
      resourceActionParameters: [{ name: 'replicas', value: '3' }],
    };
    expect((await send('POST', `${app}/resource/actions/v2`, scale)).status).toBe(200);
    expect(valueAt(await world.get(deployment), 'spec', 'replicas')).toBe(3);
    const wrong = await send('POST', `${app}/resource/actions/v2`, { ...scale, action: 'explode' });
    expect(wrong).toMatchObject({ status: 400, body: { message: expect.stringContaining('allowed: restart') } });
  });

  it('have logs, of one pod and of all together, the last line marked', async () => {
    await eventually(async () => {
      const headers = { authorization: 'Bearer test-key' };
      const response = await fetch(`${world.engineUrl}${app}/logs?namespace=web&tailLines=5`, { headers });
      const lines = (await response.text()).trim().split('\n');
      const results = lines.map((line) => (JSON.parse(line) as { result: Record<string, unknown> }).result);
      expect(results.at(-1)).toMatchObject({ last: true });
      expect(new Set(results.map(({ podName }) => podName).filter(Boolean)).size).toBeGreaterThan(1);
      const times = results.slice(0, -1).map(({ timeStampStr }) => timeStampStr as string);
      expect(times).toEqual([...times].sort());
    });
    expect((await world.api(`${app}/pods/nope/logs`)).status).toBe(400);
    expect(await world.api(`${app}/logs?tailLines=x`)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('tailLines') },
    });
  });

  it('have events', async () => {
    const event: KubeObject = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e1', namespace: 'web' },
      involvedObject: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'web', name: 'web' },
      reason: 'Tested',
      message: 'hello',
      type: 'Normal',
    };
    await world.client.create(event);
    const { body } = await world.api(`${app}/events?resourceName=web&resourceNamespace=web`);
    expect((body as { items: object[] }).items).toContainEqual(expect.objectContaining({ reason: 'Tested' }));
    expect((await world.api(`${app}/events`)).status).toBe(200);
  });
});

describe('projects', () => {
  const project = (spec: object) => ({ project: { metadata: { name: 'team' }, spec } });

  it('are made, changed and deleted, but not while applications use them', async () => {
    const open = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] };
    expect((await send('POST', '/api/v1/projects', project(open))).status).toBe(200);
    expect((await send('POST', '/api/v1/projects', project(open))).status).toBe(400);
    expect((await send('PUT', '/api/v1/projects/team', project({ ...open, description: 'x' }))).body).toMatchObject({
      spec: { description: 'x' },
    });
    await world.application('member', {
      project: 'team',
      source: { repoURL: repo.url, path: 'web' },
      destination: { name: 'in-cluster' },
    });
    await eventually(async () =>
      expect((await send('DELETE', '/api/v1/projects/team')).body).toMatchObject({
        message: 'project is referenced by 1 applications',
      }),
    );
    await send('DELETE', '/api/v1/applications/member?cascade=false');
    await eventually(async () => expect((await send('DELETE', '/api/v1/projects/team')).status).toBe(200));
    expect((await world.api('/api/v1/projects/team')).status).toBe(404);
    expect((await send('DELETE', '/api/v1/projects/default')).status).toBe(400);
  });
});

describe('repositories', () => {
  it('are listed without their passwords, validated and deleted', async () => {
    const body = { repo: repo.url, username: 'me', password: 'test-key', name: 'web' };
    expect((await send('POST', '/api/v1/repositories', body)).status).toBe(200);
    const listed = await world.api('/api/v1/repositories');
    expect(listed.body).toMatchObject({
      items: [{ repo: repo.url, username: 'me', connectionState: { status: 'Successful' } }],
    });
    expect(JSON.stringify(listed.body)).not.toContain('test-key');
    const url = encodeURIComponent(repo.url);
    expect((await send('POST', `/api/v1/repositories/${url}/validate`, {})).status).toBe(200);
    const nobody = encodeURIComponent('http://127.0.0.1:9/a/b.git');
    expect(await send('POST', `/api/v1/repositories/${nobody}/validate`, {})).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Unable to connect to repository') },
    });
    expect((await send('DELETE', `/api/v1/repositories/${url}`)).status).toBe(200);
    expect((await world.api('/api/v1/repositories')).body).toMatchObject({ items: [] });
    expect((await world.api('/api/v1/repocreds')).body).toMatchObject({ items: [{ url: world.gitUrl }] });
  });
});

describe('webhooks', () => {
  const deliver = async (headers: Record<string, string>, payload: unknown) => {
    const init = { method: 'POST', headers, body: JSON.stringify(payload) };
    const answer = await fetch(`${world.engineUrl}/api/webhook`, init);
    return { status: answer.status, body: await answer.text() };
  };
  const [before, after] = ['0'.repeat(40), 'a'.repeat(40)];

  it('of every provider name the applications that follow what was pushed', async () => {
    const page = repo.url.replace(/\.git$/, '');
    const change = { old: null, new: { type: 'branch', name: 'main', target: { hash: after } } };
    const moved = { ref: 'refs/heads/main', before, after, commits: [] };
    const deliveries: [Record<string, string>, unknown][] = [
      [{ 'x-gitlab-event': 'Push Hook' }, { ...moved, project: { git_http_url: repo.url } }],
      [{ 'x-gitea-event': 'push' }, { ...moved, repository: { clone_url: repo.url } }],
      [
        { 'x-event-key': 'repo:push' },
        { repository: { links: { html: { href: page } } }, push: { changes: [change, change] } },
      ],
      [{}, { type: 'ref-updated', refUpdate: { oldRev: before, newRev: after, refName: 'main', project: 'demo/web' } }],
    ];
    for (const [headers, payload] of deliveries)
      expect(await deliver(headers, payload)).toEqual({ status: 200, body: '{"applications":["web"]}' });
  });

  it('that tell nothing are answered clearly', async () => {
    expect(await deliver({ 'x-github-event': 'ping' }, {})).toEqual({ status: 200, body: 'pong' });
    expect(await deliver({ 'x-gitlab-event': 'Note Hook' }, {})).toMatchObject({ status: 400 });
    const lost = await deliver({ 'x-gitlab-event': 'Push Hook' }, {});
    expect(lost).toMatchObject({ status: 400, body: expect.stringContaining('names no repository URL') });
  });
});

it('signs in with the account admin and gives a token that works', async () => {
  const wrong = await world.api('/api/v1/session', {
    method: 'POST',
    body: '{"username":"admin","password":"no"}',
    token: '',
  });
  expect(wrong).toMatchObject({ status: 401, body: { code: 16 } });
  const right = await world.api('/api/v1/session', {
    method: 'POST',
    body: '{"username":"admin","password":"test-key"}',
    token: '',
  });
  const { token } = right.body as { token: string };
  const { body } = await world.api(app, { token });
  expect((body as Application).metadata.name).toBe('web');
  expect((await world.api('/api/v1/account/can-i/applications/sync/*/*')).body).toEqual({ value: 'yes' });
});

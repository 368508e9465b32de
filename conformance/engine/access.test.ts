// Who may do what through the REST API: accounts, roles of projects, `argocd-rbac-cm`; sessions and tokens.
import { type KubeObject, refOf } from '@fairlead/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startWorld, type World } from './world.ts';

let world: World;

const configMap = (name: string, data: Record<string, string>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'argocd' },
  data,
});
const shop: KubeObject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'shop', namespace: 'argocd' },
  spec: {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    roles: [
      {
        name: 'ci',
        policies: [
          'p, proj:shop:ci, applications, get, shop/*, allow',
          'p, proj:shop:ci, applications, sync, shop/*, allow',
        ],
        groups: ['carol'],
      },
    ],
  },
};
const policy = `p, role:viewer, applications, get, shop/*, allow
p, role:viewer, applications, action/apps/Deployment/restart, shop/*, allow
p, role:keeper, applications, update/apps/Deployment/*, shop/*, allow
g, alice, role:viewer
g, alice, role:keeper
g, dave, role:admin
p, dave, applications, delete, */*, deny
`;

const send = (token: string | undefined, method: string, path: string, body?: unknown) =>
  world.api(path, {
    method,
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const tokenOf = async (name: string, body: object = {}) => {
  const made = await send(undefined, 'POST', `/api/v1/account/${name}/token`, body);
  return (made.body as { token: string }).token;
};

beforeAll(async () => {
  world = await startWorld();
  const accounts = Object.fromEntries(
    ['alice', 'carol', 'dave', 'mallory'].map((name) => [`accounts.${name}`, 'apiKey, login']),
  );
  await world.client.create(configMap('argocd-cm', { ...accounts, 'accounts.robot': 'apiKey' }));
  await world.client.create(configMap('argocd-rbac-cm', { 'policy.csv': policy }));
  await world.client.create(shop);
  const repo = await world.repository('demo/web');
  await repo.push({ 'web/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n' });
  for (const [name, project] of Object.entries({ web: 'shop', other: 'default' })) {
    await world.application(name, {
      project,
      source: { repoURL: repo.url, path: 'web', targetRevision: 'main' },
      destination: { server: 'https://kubernetes.default.svc', namespace: name },
    });
  }
  await eventually(async () => {
    expect((await world.app('web')).status?.sync?.status).toBe('OutOfSync');
    expect((await world.app('other')).status?.sync?.status).toBe('OutOfSync');
    expect(JSON.stringify((await send(undefined, 'GET', '/api/v1/account')).body)).toContain('robot');
  });
}, 60_000);
afterAll(() => world.stop());

describe('accounts', () => {
  it('see what their roles allow, and nothing else, in lists, by name and in the stream', async () => {
    const alice = await tokenOf('alice');
    await eventually(async () => {
      const { body } = await send(alice, 'GET', '/api/v1/applications');
      expect((body as { items: KubeObject[] }).items.map(({ metadata }) => metadata.name)).toEqual(['web']);
    });
    expect(await send(alice, 'GET', '/api/v1/applications/other')).toMatchObject({ status: 403, body: { code: 7 } });
    expect(await send(alice, 'GET', '/api/v1/applications/web')).toMatchObject({ status: 200 });
    expect(await send(alice, 'GET', '/api/v1/applications/web?project=default')).toMatchObject({ status: 403 });
    expect(await send(alice, 'POST', '/api/v1/applications/web/sync', {})).toMatchObject({
      status: 403,
      body: {
        message: expect.stringMatching(/^permission denied: applications, sync, shop\/web, sub: alice, iat: 20/),
      },
    });
    const first = await fetch(`${world.engineUrl}/api/v1/stream/applications`, {
      headers: { authorization: `Bearer ${alice}` },
    });
    const reader = first.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('"name":"web"');
    await reader?.cancel();
  });

  it('with no role are refused by every route that is about something', async () => {
    const mallory = await tokenOf('mallory');
    const server = encodeURIComponent('https://kubernetes.default.svc');
    const wishes: [string, string, unknown?][] = [
      ['GET', '/applications/web'],
      ['POST', '/applications', { metadata: { name: 'new' }, spec: { project: 'shop' } }],
      ['PUT', '/applications/web', { metadata: { name: 'web' }, spec: {} }],
      ['PUT', '/applications/web/spec', {}],
      ['PATCH', '/applications/web', { patch: '{}' }],
      ['DELETE', '/applications/web'],
      ['POST', '/applications/web/sync', {}],
      ['POST', '/applications/web/rollback', { id: 0 }],
      ['DELETE', '/applications/web/operation'],
      ...[
        'resource-tree',
        'managed-resources',
        'manifests',
        'syncwindows',
        'events',
        'logs',
        'revisions/x/metadata',
      ].map((part): [string, string] => ['GET', `/applications/web/${part}`]),
      ['GET', '/applications/web/pods/p/logs'],
      ['GET', '/applications/web/resource?kind=ConfigMap&resourceName=m&namespace=web'],
      ['POST', '/applications/web/resource?kind=ConfigMap&resourceName=m&namespace=web', {}],
      ['DELETE', '/applications/web/resource?kind=ConfigMap&resourceName=m&namespace=web'],
      ['GET', '/applications/web/resource/actions?kind=ConfigMap&resourceName=m&namespace=web'],
      ['POST', '/applications/web/resource/actions?kind=ConfigMap&resourceName=m&namespace=web', 'restart'],
      ['POST', '/applications/web/resource/actions/v2', { kind: 'ConfigMap', resourceName: 'm', action: 'restart' }],
      ['GET', '/applicationsets/any'],
      ['GET', '/projects/shop'],
      ...['detailed', 'globalprojects', 'events'].map((part): [string, string] => ['GET', `/projects/shop/${part}`]),
      ['POST', '/projects', { project: { metadata: { name: 'mine' }, spec: {} } }],
      ['PUT', '/projects/shop', { project: shop }],
      ['DELETE', '/projects/shop'],
      ['POST', '/projects/shop/roles/ci/token', {}],
      ['DELETE', '/projects/shop/roles/ci/token/1'],
      ['POST', '/clusters', { server: 'https://new', config: {} }],
      ['GET', `/clusters/${server}`],
      ['PUT', `/clusters/${server}`, {}],
      ['DELETE', `/clusters/${server}`],
      ['POST', '/repositories', { repo: 'https://h/r' }],
      ['GET', `/repositories/${encodeURIComponent('https://h/r')}`],
      ['PUT', `/repositories/${encodeURIComponent('https://h/r')}`, {}],
      ['DELETE', `/repositories/${encodeURIComponent('https://h/r')}`],
      ['POST', `/repositories/${encodeURIComponent('https://h/r')}/validate`, {}],
      ['POST', '/repocreds', { url: 'https://h' }],
      ['PUT', `/repocreds/${encodeURIComponent(world.gitUrl)}`, {}],
      ['DELETE', `/repocreds/${encodeURIComponent(world.gitUrl)}`],
      ['GET', '/account/alice'],
      ['POST', '/account/alice/token', {}],
      ['DELETE', '/account/alice/token/x'],
    ];
    for (const [method, path, body] of wishes) {
      const { status } = await send(mallory, method, `/api/v1${path}`, body);
      expect(`${method} ${path}: ${status}`).toBe(`${method} ${path}: 403`);
    }
    for (const list of ['applications', 'applicationsets', 'projects', 'clusters', 'repositories', 'repocreds']) {
      expect(await send(mallory, 'GET', `/api/v1/${list}`)).toMatchObject({ status: 200, body: { items: [] } });
    }
    expect((await send(mallory, 'GET', '/api/v1/account')).body).toMatchObject({ items: [{ name: 'mallory' }] });
  });

  it('may be denied a thing that their role allows', async () => {
    const dave = await tokenOf('dave');
    expect(await send(dave, 'GET', '/api/v1/applications/other')).toMatchObject({ status: 200 });
    expect(await send(dave, 'DELETE', '/api/v1/applications/other')).toMatchObject({ status: 403 });
  });

  it('are told what they may do, in the words of argocd account can-i', async () => {
    const alice = await tokenOf('alice');
    const canI = async (path: string) => (await send(alice, 'GET', `/api/v1/account/can-i/${path}`)).body;
    expect(await canI('applications/get/shop/web')).toEqual({ value: 'yes' });
    expect(await canI('applications/get/shop/argocd/web')).toEqual({ value: 'yes' });
    expect(await canI('applications/sync/shop/web')).toEqual({ value: 'no' });
    expect(await canI('applications/fly/shop/web')).toMatchObject({ code: 3, message: expect.stringContaining('fly') });
    expect(await canI('wishes/get/shop/web')).toMatchObject({ code: 3, message: expect.stringContaining('wishes') });
    const info = await send(alice, 'GET', '/api/v1/session/userinfo');
    expect(info.body).toMatchObject({ loggedIn: true, username: 'alice', iss: 'argocd' });
  });

  it('cannot move an application out of the project they may change', async () => {
    const editor = `${policy}p, mallory, applications, *, shop/*, allow\n`;
    const rbac = configMap('argocd-rbac-cm', { 'policy.csv': editor });
    await world.client.patch(refOf(rbac), { data: { 'policy.csv': editor } }, { type: 'merge' });
    const mallory = await tokenOf('mallory');
    const patch = (value: object) =>
      send(mallory, 'PATCH', '/api/v1/applications/web', { patchType: 'merge', patch: JSON.stringify(value) });
    await eventually(async () =>
      expect(await patch({ metadata: { labels: { a: 'b' } } })).toMatchObject({ status: 200 }),
    );
    expect(await patch({ spec: { project: 'default' } })).toMatchObject({ status: 403 });
    expect((await world.app('web')).spec.project).toBe('shop');
    await world.client.patch(refOf(rbac), { data: { 'policy.csv': policy } }, { type: 'merge' });
  });
});

describe('tokens', () => {
  it('of an account are listed, and count until they are taken back', async () => {
    const token = await tokenOf('robot', { id: 'build', expiresIn: 3600 });
    const { body } = await send(undefined, 'GET', '/api/v1/account/robot');
    expect(body).toMatchObject({ name: 'robot', capabilities: ['apiKey'], tokens: [{ id: 'build' }] });
    expect(await send(token, 'GET', '/api/v1/session/userinfo')).toMatchObject({ body: { username: 'robot' } });
    expect(await send(undefined, 'POST', '/api/v1/account/robot/token', { id: 'build' })).toMatchObject({
      status: 400,
    });
    expect(await send(undefined, 'DELETE', '/api/v1/account/robot/token/build')).toMatchObject({ status: 200 });
    await eventually(async () =>
      expect(await send(token, 'GET', '/api/v1/session/userinfo')).toMatchObject({
        status: 401,
        body: { message: 'invalid session: account robot does not have token with id build' },
      }),
    );
  });

  it('of a project role do what the role may in its project, and count until they are taken back', async () => {
    const path = '/api/v1/projects/shop/roles/ci/token';
    const made = await send(undefined, 'POST', path, { id: 'pipeline', expiresIn: '60' });
    const { token } = made.body as { token: string };
    const [, claims = ''] = token.split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      iss: 'argocd',
      sub: 'proj:shop:ci',
      jti: 'pipeline',
    });
    expect(await send(token, 'GET', '/api/v1/projects/shop')).toMatchObject({
      status: 200,
      body: { status: { jwtTokensByRole: { ci: { items: [{ id: 'pipeline' }] } } } },
    });
    expect(await send(token, 'GET', '/api/v1/applications/web')).toMatchObject({ status: 200 });
    expect(await send(token, 'GET', '/api/v1/applications/other')).toMatchObject({ status: 403 });
    expect(await send(token, 'DELETE', '/api/v1/applications/web')).toMatchObject({ status: 403 });
    expect(await send(token, 'POST', '/api/v1/applications/web/sync', { dryRun: true })).toMatchObject({ status: 200 });
    await eventually(async () =>
      expect((await world.app('web')).status?.operationState?.operation?.initiatedBy).toMatchObject({
        username: 'proj:shop:ci',
      }),
    );
    expect(await send(undefined, 'DELETE', `${path}/0?id=pipeline`)).toMatchObject({ status: 200 });
    await eventually(async () =>
      expect(await send(token, 'GET', '/api/v1/applications/web')).toMatchObject({ status: 401 }),
    );
    expect(await send(undefined, 'POST', '/api/v1/projects/shop/roles/none/token', {})).toMatchObject({ status: 404 });
  });

  it('of others are refused: another key, no signature, another algorithm', async () => {
    const token = await tokenOf('alice');
    const [head = '', claims = ''] = token.split('.');
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    for (const forged of [`${head}.${claims}.${'A'.repeat(43)}`, `${none}.${claims}.`, 'x', 'a.b.c']) {
      expect(await send(forged, 'GET', '/api/v1/applications')).toMatchObject({ status: 401, body: { code: 16 } });
    }
  });
});

describe('signing in', () => {
  it('takes the bcrypt password of argocd-secret and gives a session', async () => {
    const password = '$2b$04$pIK1tBoWXhV7uj1U7vjFHePwMlMAJoDRNVNulovsDcyx5fkMutua6';
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'argocd-secret', namespace: 'argocd' } };
    const stringData = { 'accounts.alice.password': password, 'accounts.robot.password': password };
    await tokenOf('alice'); // makes the Secret when nobody has
    await world.client.patch(refOf(secret), { stringData }, { type: 'merge' });
    const signIn = (username: string, given: string) =>
      send(undefined, 'POST', '/api/v1/session', { username, password: given });
    const session = await eventually(async () => {
      const answer = await signIn('alice', 'correct horse');
      expect(answer.status).toBe(200);
      return (answer.body as { token: string }).token;
    });
    expect(await send(session, 'GET', '/api/v1/applications/web')).toMatchObject({ status: 200 });
    expect(await signIn('carol', 'wrong')).toMatchObject({
      status: 401,
      body: { message: 'Invalid username or password' },
    });
    expect(await signIn('nobody', 'wrong')).toMatchObject({
      status: 401,
      body: { message: 'Invalid username or password' },
    });
    expect(await signIn('robot', 'correct horse')).toMatchObject({
      status: 401,
      body: { message: 'User robot does not have capability: login' },
    });
    expect(await signIn('admin', 'test-key')).toMatchObject({ status: 200, body: { token: 'test-key' } });
  });
});

it('roles with policies about other projects are refused by the API', async () => {
  const role = { name: 'ci', policies: ['p, proj:shop:ci, applications, sync, default/*, allow'] };
  const project = { metadata: { name: 'shop' }, spec: { roles: [role] } };
  expect(await send(undefined, 'PUT', '/api/v1/projects/shop', { project })).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining("object must be of form 'shop/*'") },
  });
});

it('a policy that cannot be read leaves the last good one in force', async () => {
  const alice = await tokenOf('alice');
  const rbac = refOf(configMap('argocd-rbac-cm', {}));
  await world.client.patch(rbac, { data: { 'policy.csv': 'p, alice' } }, { type: 'merge' });
  await world.client.patch(rbac, { data: { 'policy.default': 'role:admin' } }, { type: 'merge' });
  expect(await send(alice, 'GET', '/api/v1/applications/web')).toMatchObject({ status: 200 });
  expect(await send(alice, 'GET', '/api/v1/applications/other')).toMatchObject({ status: 403 });
  await world.client.patch(
    rbac,
    { data: { 'policy.csv': policy, 'policy.default': 'role:readonly' } },
    { type: 'merge' },
  );
  await eventually(async () =>
    expect(await send(alice, 'GET', '/api/v1/applications/other')).toMatchObject({ status: 200 }),
  );
});

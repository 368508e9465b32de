// Every route of the platform, called by four callers: a stranger, an administrator of another account, a user of the
// account who is no administrator, and its administrator. What each gets is written down in route-matrix.json, exactly; a
// new route is not done before it stands there. To another account everything looks as if it were not there.
import { readFileSync } from 'node:fs';
import { contentHash } from '@fairlead/base';
import {
  type ApplicationAction,
  applicationActions,
  appProxyRoutes,
  createApiClient,
  fillPath,
  type Route,
  routes,
} from '@fairlead/contracts';
import {
  addAccount,
  adminKey,
  deletion,
  eventually,
  registerTestRuntime,
  reported,
  sampleReport,
  startTestPlatform,
} from '@fairlead/platform/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

type Platform = Awaited<ReturnType<typeof startTestPlatform>>;
let platform: Platform;
let walkedRuntime: Awaited<ReturnType<typeof registerTestRuntime>>;
let keys: Record<'other' | 'user' | 'admin', string>;
let params: Record<string, string>;

const matrix = JSON.parse(readFileSync(new URL('./route-matrix.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;
const password = 'a password of some length';

/** Concerns no application that is there. */
const harmless = (name: string) => ({
  name,
  effect: 'deny' as const,
  teams: ['*'],
  entity: 'application' as const,
  actions: ['DELETE' as const],
  attributes: { names: ['nothing'] },
});

const sealed = { to: 'x', ephemeral: 'A'.repeat(87), iv: 'A'.repeat(16), data: 'A' };

/** What a call needs to get past the checks of its input. */
const bodies: Record<string, () => object> = {
  signInByLink: () => ({ code: 'unknown' }),
  signInByPassword: () => ({ user: 'nobody', password }),
  setPassword: () => ({ password, current: password }),
  inviteUser: () => ({ name: 'invited' }),
  updateUser: () => ({ teams: [] }),
  createTeam: () => ({ name: 'made' }),
  updateTeam: () => ({ members: [] }),
  createApiKey: () => ({ name: 'made' }),
  createRuntime: () => ({ name: 'made', kind: 'hybrid' }),
  registerRuntime: () => ({ installToken: 'unknown', publicKey: { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) } }),
  reportHostedInstall: () => ({ state: 'installing', steps: [] }),
  createAccessRule: () => harmless('made'),
  updateAccessRule: () => harmless('walked'),
  saveAccessRuleFile: () => harmless('walked'),
  readNotifications: () => ({}),
  createWebhook: () => ({ name: 'made', url: 'https://hooks.example.com/fairlead', kinds: ['key-expires'] }),
  setGitRights: () => ({ enforce: 'off' }),
  saveGitRights: () => ({ enforce: 'off' }),
  setAccessDefault: () => ({ default: 'open' }),
  previewAccessRules: () => ({ default: 'closed' }),
  syncApplication: () => ({}),
  setRuntimeAccess: () => ({ mode: 'tunnel' }),
  refreshApplication: () => ({}),
  previewApplication: () => ({ manifest: 'x', gitSource: { name: 'x' } }),
  createApplication: () => ({ manifest: 'x', gitSource: { name: 'x' } }),
  editApplicationDefinition: () => ({ text: 'x', base: '0'.repeat(40) }),
  rollbackApplication: () => ({ historyId: 0 }),
  askGitRights: () => ({ repositories: ['https://git.example/team-a/apps.git'] }),
  putGitToken: () => ({ provider: 'other', sealed }),
  addCluster: () => ({ name: 'prod', server: 'https://prod.example', sealed }),
  rotateCluster: () => ({ sealed }),
  createPlan: () => ({ repoURL: 'https://git.example/team-a/apps.git', to: 'main' }),
  previewGitSourceLimits: () => ({
    name: 'team-a',
    repoURL: 'https://git.example/team-a/apps.git',
    restricted: { sourceRepos: ['*'], destinations: [{ name: 'in-cluster', namespace: 'team-a' }] },
  }),
  createGitSource: () => ({ name: 'team-a', repoURL: 'https://git.example/team-a/apps.git' }),
  connectConfiguration: () => ({ sharedConfigRepo: 'https://git.example/team-a/config.git' }),
  runResourceAction: () => ({ kind: 'ConfigMap', resource: 'c', action: 'restart' }),
  reportEvents: () => ({ reporter: 'walk', objects: [], contents: {} }),
  reportCompatibleEvent: () => ({ data: { object: {} } }),
  exchangeDigest: () => ({
    reporter: 'walk',
    kind: 'application',
    epoch: 1,
    shard: { index: 0, count: 1 },
    objects: {},
  }),
};
const oneResource = '?kind=ConfigMap&resource=c&namespace=walked';
const queries: Record<string, string> = {
  getLiveResource: oneResource,
  deleteLiveResource: oneResource,
  listResourceActions: oneResource,
  listRepositories: '?host=git.example',
  listBranches: '?repoURL=https://git.example/x.git',
  listFiles: '?repoURL=https://git.example/x.git',
  getApplicationResource: '?kind=ConfigMap&resource=c&namespace=walked',
  search: '?query=app',
  previewGitSource: '?repoURL=https://git.example/team-a/apps.git',
  listGitOrganisations: '?host=git.example',
  canI: '?action=SYNC&entity=application&runtime=walked&namespace=argocd&name=app',
  diffApplication: '?from=2020-01-01T00:00:00Z',
};

beforeAll(async () => {
  platform = await startTestPlatform();
  const { api } = platform;
  const runtime = await registerTestRuntime(platform, 'walked');
  walkedRuntime = runtime;
  const resource = { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'walked', name: 'c' };
  const observedAt = '2019-01-01T00:00:00Z';
  const objects = [{ ...reported(sampleReport('app', { resources: [resource] }), 1), observedAt }];
  await runtime.api.call('reportEvents', { body: { reporter: 'walk', objects, contents: {} } });
  await api.call('createTeam', { body: { name: 'team' } });
  await api.call('inviteUser', { body: { name: 'robot', kind: 'service' } });
  await api.call('inviteUser', { body: { name: 'someone' } });
  const { key: user } = await api.call('createApiKey', { body: { name: 'walk', user: 'robot' } });
  const { id: rule } = await api.call('createAccessRule', { body: harmless('walked') });
  const { row } = await api.call('createApiKey', { body: { name: 'victim' } });
  const { url } = await api.call('createSignInLink', {});
  await createApiClient({ baseUrl: platform.url }).call('signInByLink', {
    body: { code: new URL(url).searchParams.get('code') ?? '' },
  });
  const [session] = (await api.call('listSessions', {})).items;
  keys = { admin: adminKey, user, other: await addAccount(platform.databaseUrl, 'other') };
  params = {
    runtime: 'walked',
    namespace: 'argocd',
    name: 'app',
    user: 'someone',
    team: 'team',
    key: row.id,
    rule,
    cluster: 'prod',
    gitSource: 'team-a',
    accessRule: 'walked',
    component: 'engine',
    webhook: 'unknown',
    session: session?.id ?? '',
    host: 'git.example',
  };
});
afterAll(() => platform?.stop());

async function call(name: string, route: Route, key: string | undefined): Promise<number> {
  return (await answerOf(name, route, { key, on: params })).status;
}

interface Called {
  readonly key: string | undefined;
  readonly on: Readonly<Record<string, string>>;
}

async function answerOf(name: string, route: Route, { key, on }: Called): Promise<{ status: number; text: string }> {
  const body = bodies[name]?.() ?? (route.body ? {} : undefined);
  const answer = await fetch(`${platform.url}${fillPath(route.path, on)}${queries[name] ?? ''}`, {
    method: route.method,
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, text: await answer.text() };
}

const isOnApplication = (path: string) => path.includes('{namespace}/{name}');

/** What takes something away comes last; a new password ends sessions, a runtime takes its applications along. */
const destructive = (name: string) =>
  ['deleteRuntime', 'setPassword'].includes(name) ? 2 : /^(delete|revoke)/.test(name) ? 1 : 0;
const walk = Object.entries<Route>(routes).sort(([a], [b]) => destructive(a) - destructive(b));

describe('every list', () => {
  it('of another account tells nothing of this one: no row, no count, no facet', async () => {
    const headers = () => ({ authorization: `Bearer ${keys.other}` });
    const other = createApiClient({ baseUrl: platform.url, headers });
    const page = await other.call('listApplications', {});
    expect([page.items, page.matched, page.summary.total]).toEqual([[], 0, 0]);
    const facets = Object.values(await other.call('listApplicationFacets', {}));
    expect(facets.flatMap(({ values }) => values)).toEqual([]);
    expect((await other.call('search', { query: { query: 'a' } })).items).toEqual([]);
    expect((await other.call('listAllDeployments', {})).items).toEqual([]);
    expect((await other.call('listRuntimes', {})).items).toEqual([]);
    expect((await other.call('listUsers', {})).items.map(({ name }) => name)).toEqual(['admin']);
    expect((await other.call('listTeams', {})).items).toEqual([]);
    expect((await other.call('listApiKeys', { query: { all: true } })).items).toHaveLength(1);
    expect((await other.call('listSessions', { query: { all: true } })).items).toEqual([]);
    expect((await other.call('listAudit', {})).items).toEqual([]);
  });
});

describe('every route on an application', () => {
  const walked = walk.filter(([, { needs }]) => needs && !['member', 'admin'].includes(needs));

  async function restricted(name: string, actions: ApplicationAction[]) {
    const { api } = platform;
    await api.call('createTeam', { body: { name } });
    await api.call('inviteUser', { body: { name: `${name}-robot`, kind: 'service', teams: [name] } });
    await api.call('createAccessRule', { body: { ...harmless(name), teams: [name], actions, attributes: {} } });
    return (await api.call('createApiKey', { body: { name: 'walk', user: `${name}-robot` } })).key;
  }

  it('is as if it were not there for who may not view it', async () => {
    const key = await restricted('blind', ['VIEW']);
    for (const [name, route] of walked) expect(`${name} ${await call(name, route, key)}`).toBe(`${name} 404`);
  });

  it('answers who may only view, and refuses every act', async () => {
    const key = await restricted(
      'viewers',
      applicationActions.filter((action) => action !== 'VIEW'),
    );
    for (const [name, route] of walked) {
      // What the runtime would have to answer is 503 here: none is connected.
      const seen = name in appProxyRoutes ? 503 : 200;
      expect(`${name} ${await call(name, route, key)}`).toBe(`${name} ${route.needs === 'VIEW' ? seen : 403}`);
    }
  });
});

describe('where rights follow Git', () => {
  const canary = 'canary-app-7d1f';
  const manifestRepositories = ['https://git.example/secret/manifests.git'];
  const degraded = sampleReport(canary, { manifestRepositories, health: { status: 'Degraded' } });
  const report = (object: object) => walkedRuntime.report([object]);
  const commit = { revision: '1'.repeat(40), author: 'A', email: 'a@example.com', date: '2026-01-01T00:00:00Z' };
  const stamp = (sequence: number, payload: unknown) => {
    const { id: uid } = walkedRuntime;
    const observedAt = '2026-01-01T00:00:00Z';
    return { kind: 'access-rules', key: 'walked', uid, epoch: 1, sequence, observedAt, hash: contentHash(payload) };
  };
  const follow = (sequence: number, gitRights: object) => {
    const none = { repository: 'https://git.example/config.git', branch: 'main', rules: [], problems: [] };
    const accessRules = { ...none, ...gitRights };
    return report({ ...stamp(sequence, accessRules), accessRules });
  };
  const all = { gitRights: { enforce: 'all', commit } };
  const [repoUrl] = manifestRepositories;
  const place = { repoUrl, branch: 'main', path: '', include: '*', exclude: '' };
  const state = { sync: 'Synced', health: 'Healthy', applications: 1 };
  const gitSource = { name: `${canary}-source`, namespace: 'argocd', ...place, ...state };
  const ofSource = (sequence: number, payload: object | null) => ({
    ...stamp(sequence, payload),
    ...{ kind: 'git-source', key: `argocd/${gitSource.name}` },
    ...(payload ? { gitSource: payload } : { deleted: true }),
  });

  /** Routes that read, and tell of the canary. */
  async function shownTo(key: string): Promise<string[]> {
    const shown: string[] = [];
    for (const [name, route] of walk.filter(([, { method, auth }]) => method === 'GET' && auth === 'user')) {
      const { status, text } = await answerOf(name, route, { key, on: { ...params, name: canary } });
      if (isOnApplication(route.path) ? status !== 404 : text.includes(canary)) shown.push(name);
    }
    return shown;
  }

  it('nobody hears of an application, on any route or by the live feed, who cannot read its manifest', async () => {
    await follow(1, all);
    await report(reported(sampleReport(canary, { manifestRepositories }), 2));
    await report(ofSource(1, gitSource));
    const abort = new AbortController();
    const headers = { authorization: `Bearer ${keys.user}` };
    const feed = await fetch(`${platform.url}/api/v1/live`, { headers, signal: abort.signal });
    let told = '';
    const read = async () => {
      for await (const chunk of feed.body ?? []) told += Buffer.from(chunk).toString('utf8');
    };
    const ended = read().catch(() => undefined); // by the abort
    await eventually('the feed begins', () => told.includes('ping'));
    await report(reported(degraded, 3));
    await report(ofSource(2, { ...gitSource, sync: 'OutOfSync' }));
    expect(await shownTo(keys.user)).toEqual([]);
    const shown = ['listApplications', 'listApplicationFacets', 'search', 'getApplication', 'listNotifications'];
    expect(await shownTo(keys.admin)).toEqual(expect.arrayContaining([...shown, 'listGitSources']));
    await report(deletion(degraded, 4));
    await report(ofSource(3, null));
    await follow(5, {});
    await eventually('what comes after it is told', () => told.includes('reset'));
    abort.abort();
    await ended;
    expect(told).not.toContain(canary);
  });

  it('an administrator ends that when no repository is followed any more', async () => {
    await follow(6, all);
    await report({ ...stamp(7, null), deleted: true });
    expect((await platform.api.call('listAccessRules', {})).gitRights.enforce).toBe('all');
    const refused = platform.api.call('setGitRights', { body: { enforce: 'acts' } });
    await expect(refused).rejects.toMatchObject({ code: 'conflict' });
    await platform.api.call('setGitRights', { body: { enforce: 'off' } });
    expect((await platform.api.call('listAccessRules', {})).gitRights).toEqual({ enforce: 'off' });
  });
});

describe('every route', () => {
  it('stands in the matrix, and nothing else does', () => {
    expect(Object.keys(matrix).sort()).toEqual(Object.keys(routes).sort());
  });

  it.each(walk)('%s gives each caller exactly what the matrix says', async (name, route) => {
    const seen = [];
    for (const key of [undefined, keys.other, keys.user, keys.admin]) seen.push(await call(name, route, key));
    expect(`${route.needs ?? route.auth}: ${seen.join(' ')}`).toBe(matrix[name]);
  });
});

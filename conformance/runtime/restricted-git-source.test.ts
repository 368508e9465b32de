// Restricted Git Sources, the whole way, against people who can commit into one and want more than they were given; and a
// platform that gives more than the rules in Git do (H-123).
import { type ApiClient, type Application, createApiClient, gitTokenPurpose, seal } from '@fairlead/contracts';
import { runSql } from '@fairlead/platform/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Repository } from '../engine/world.ts';
import { ByHand } from './by-hand.ts';
import { type House, registerHosted, startHouse } from './world.ts';

let house: House;
let apps: Repository;
let content: Repository;
const runtime = { runtime: 'hosted' };
const api = () => house.platform.api;
const applicationRef = { group: 'argoproj.io', version: 'v1alpha1', kind: 'Application', namespace: 'argocd' };
const app = async (name: string) =>
  (await house.world.get({ ...applicationRef, name })) as unknown as Application | undefined;

const application = (name: string, over: { project?: string; path?: string; namespace?: string; repo?: string } = {}) =>
  `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: ${name}, namespace: argocd }
spec:
  project: ${over.project ?? 'team-a'}
  source: { repoURL: ${over.repo ?? content.url}, path: ${over.path ?? 'good'}, targetRevision: main }
  destination: { server: https://kubernetes.default.svc, namespace: ${over.namespace ?? 'team-a-dev'} }
  syncPolicy: { automated: {}, syncOptions: [CreateNamespace=true] }
`;
const configMap = (extra = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n${extra}data: { greeting: hello }\n`;

async function giveToken(as = api()) {
  const { host } = new URL(house.world.gitUrl);
  const { key } = await as.call('getSealingKey', { params: runtime });
  const { user } = await as.call('me', {});
  const sealed = await seal('test-key', { to: key, purpose: gitTokenPurpose({ userId: user.id, host }) });
  const body = { provider: 'builtin', url: house.world.gitUrl, sealed } as const;
  await as.call('putGitToken', { params: { ...runtime, host }, body });
}

const limits = () => ({
  sourceRepos: [content.url],
  destinations: [{ name: 'in-cluster', namespace: 'team-a-*' }],
  namespaceResourceBlacklist: [{ group: '', kind: 'Secret' }],
});

beforeAll(async () => {
  house = await startHouse();
  await house.startRuntime();
  await registerHosted(house);
  apps = await house.world.repository('team-a/apps');
  content = await house.world.repository('team-a/content');
  await apps.push({ 'README.md': 'here' });
  await content.push({
    'good/settings.yaml': configMap(),
    'elsewhere/settings.yaml': configMap('  namespace: kube-system\n'),
    'secret/secret.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: { name: s }\n',
    'hook/settings.yaml': configMap('  namespace: team-a-hook\n'),
    'hook/role.yaml': `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: everything, annotations: { argocd.argoproj.io/hook: PreSync } }
rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }]
`,
    'engine/app.yaml': application('grandchild', { project: 'default' }),
  });
  await eventually(async () => {
    expect((await api().call('getRuntime', { params: runtime })).status).toBe('connected');
  }, 60_000);
  await giveToken();
  const sharedConfigRepo = `${house.world.gitUrl}/fairlead/shared-config.git`;
  await api().call('connectConfiguration', { params: runtime, body: { sharedConfigRepo } });
}, 180_000);
afterAll(() => house?.stop());

describe('limits', () => {
  const create = (name: string, restricted: object) =>
    api().call('createGitSource', {
      params: runtime,
      body: { name, repoURL: apps.url, restricted: { ...limits(), ...restricted } },
    });

  it('that could never be kept are refused, and so is the name of a project that is there', async () => {
    const engine = { destinations: [{ name: 'in-cluster', namespace: 'argocd' }] };
    await expect(create('team-a', engine)).rejects.toThrow(/argocd belongs to the runtime/);
    await expect(create('team-a', { destinations: [] })).rejects.toMatchObject({ status: 400 });
    await expect(create('default', {})).rejects.toThrow(/a project named default is there already/);
  });

  it('are committed with the Git Source, reported, and read back', async () => {
    const { gitSource } = await create('team-a', {});
    expect(gitSource).toMatchObject({ name: 'team-a', restricted: limits() });
    await eventually(async () => {
      const { items } = await api().call('listGitSources', {});
      expect(items).toMatchObject([{ name: 'team-a', applicationsProject: 'team-a', sync: 'Synced' }]);
    }, 40_000);
    const params = { ...runtime, gitSource: 'team-a' };
    expect((await api().call('getGitSource', { params })).gitSource.restricted).toMatchObject(limits());
  });

  it('can be changed, and not be given to a Git Source that has none', async () => {
    const params = { ...runtime, gitSource: 'team-a' };
    const wider = { ...limits(), sourceRepos: [content.url, apps.url] };
    const { gitSource } = await api().call('updateGitSource', { params, body: { restricted: wider } });
    expect(gitSource.restricted).toMatchObject(wider);
    await api().call('createGitSource', {
      params: runtime,
      body: { name: 'open', repoURL: content.url, path: 'good' },
    });
    const late = { params: { ...runtime, gitSource: 'open' }, body: { restricted: limits() } };
    await expect(api().call('updateGitSource', late)).rejects.toThrow(/cannot get any later/);
  });
});

describe('somebody who can commit into it', () => {
  it('deploys within the limits', async () => {
    await apps.push({ 'good.yaml': application('good') });
    await eventually(async () => {
      expect((await app('good'))?.status?.sync?.status).toBe('Synced');
    }, 30_000);
  });

  /** Tried in one commit beside what is allowed; taken back afterwards. */
  async function refused(files: Record<string, string>, words: RegExp) {
    await apps.push(files);
    await eventually(async () => {
      const state = (await app('team-a'))?.status?.operationState;
      expect(state?.phase).toBe('Failed');
      expect(state?.message).toMatch(words);
    }, 30_000);
    await apps.push(Object.fromEntries(Object.keys(files).map((file) => [file, null])));
    await eventually(async () => expect((await app('team-a'))?.status?.sync?.status).toBe('Synced'), 30_000);
  }

  it('cannot name another project', async () => {
    await refused({ 'x.yaml': application('x', { project: 'default' }) }, /Application x names project "default"/);
    expect(await app('x')).toBeUndefined();
  });

  it('cannot widen the project, nor bring anything else beside Applications', async () => {
    const project = `apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: { name: team-a, namespace: argocd }
spec: { sourceRepos: ["*"], destinations: [{ server: "*", namespace: "*" }] }
`;
    await refused({ 'project.yaml': project }, /AppProject is not permitted in project team-a-restricted/);
    await refused({ 'settings.yaml': configMap() }, /ConfigMap is not permitted/);
  });

  it("cannot take over the runtime's own configuration, nor its own Git Source", async () => {
    await refused({ 'x.yaml': application('hosted-isc') }, /Application hosted-isc is there already/);
    await refused({ 'x.yaml': application('team-a') }, /Application team-a is there already/);
    expect((await app('hosted-isc'))?.spec.project).toBe('default');
  });

  it.each([
    ['go to another namespace', { namespace: 'kube-system' }, /do not match any of the allowed destinations/],
    ['go to the namespace of the engine', { namespace: 'argocd', path: 'engine' }, /do not match any/],
    ['deploy from another repository', { repo: 'https://example.com/other.git' }, /is not permitted in project/],
    ['put an object elsewhere', { path: 'elsewhere' }, /namespace kube-system is not permitted/],
    ['put an Application beside the others', { path: 'engine' }, /namespace argocd is not permitted/],
    ['bring a kind that is denied', { path: 'secret' }, /resource :Secret is not permitted/],
    ['run a hook that gives it rights', { path: 'hook' }, /ClusterRole is not permitted/],
  ])('cannot %s', async (_what, over, words) => {
    await apps.push({ 'child.yaml': application('child', over) });
    await eventually(async () => {
      const { operationState, conditions = [] } = (await app('child'))?.status ?? {};
      expect([operationState?.message ?? '', ...conditions.map(({ message }) => message)].join('\n')).toMatch(words);
    }, 30_000);
    await apps.push({ 'child.yaml': null });
    await eventually(async () => expect(await app('child')).toBeUndefined(), 30_000);
    expect(await app('grandchild')).toBeUndefined();
  });
});

it('the API refuses, before a commit, what the engine would refuse', async () => {
  const body = { manifest: application('late', { project: 'default' }), gitSource: { name: 'team-a' } };
  await expect(api().call('createApplication', { params: runtime, body })).rejects.toThrow(
    /Git Source team-a is restricted to applications of project team-a; set project: team-a/,
  );
  const away = { manifest: application('late', { namespace: 'kube-system' }), gitSource: { name: 'team-a' } };
  await expect(api().call('createApplication', { params: runtime, body: away })).rejects.toThrow(
    /project team-a does not allow namespace kube-system/,
  );
});

let robot: ApiClient;
const good = { ...runtime, namespace: 'argocd', name: 'good' };
const sync = () => robot.call('syncApplication', { params: good, body: {} });

it('acts need the Git rights of who acts, where a file in Git says so', async () => {
  await api().call('inviteUser', { body: { name: 'robot', kind: 'service' } });
  const { key } = await api().call('createApiKey', { body: { name: 'k', user: 'robot' } });
  const headers = () => ({ authorization: `Bearer ${key}` });
  robot = createApiClient({ baseUrl: house.platform.url, headers });
  await robot.call('refreshApplication', { params: good, body: {} });
  const byHand = new ByHand(house);
  await byHand.clone('shared-config');
  const manifest = { apiVersion: 'fairlead.io/v1alpha1', kind: 'GitRights', metadata: { name: 'git-rights' } };
  const text = JSON.stringify({ ...manifest, spec: { enforce: 'acts' } });
  await byHand.repository('shared-config').push({ 'resources/configurations/git-rights.yaml': text });
  await eventually(() => expect(sync()).rejects.toMatchObject({ code: 'git_token_missing' }));
  await giveToken(robot);
  await eventually(sync); // another sync may be running
});

it('what people see follows their Git rights, where the file says so too', async () => {
  await api().call('inviteUser', { body: { name: 'stranger', kind: 'service' } });
  const { key } = await api().call('createApiKey', { body: { name: 'k', user: 'stranger' } });
  const headers = () => ({ authorization: `Bearer ${key}` });
  const stranger = createApiClient({ baseUrl: house.platform.url, headers });
  const seenBy = async (who: ApiClient) => (await who.call('listApplications', {})).items.map(({ id }) => id.name);
  expect(await seenBy(stranger)).toContain('good');
  await api().call('setGitRights', { body: { enforce: 'all' } });
  await eventually(async () => expect(await seenBy(robot)).toContain('good'));
  expect(await seenBy(stranger)).toEqual([]);
  await expect(stranger.call('getApplication', { params: good })).rejects.toMatchObject({ code: 'not_found' });
  await giveToken(stranger);
  await eventually(async () => expect(await seenBy(stranger)).toContain('good'));
  await api().call('setGitRights', { body: { enforce: 'acts' } });
});

it('a platform that has forgotten the rules is not believed: the app-proxy judges by those in Git', async () => {
  const { databaseUrl } = house.platform;
  const refusedBy = { code: 'forbidden', body: { details: { rule: 'freeze' } } };
  const about = { entity: 'application' as const, attributes: { projects: ['team-a'] } };
  const freeze = { name: 'freeze', effect: 'deny' as const, teams: ['*'], actions: ['SYNC' as const], ...about };
  await api().call('createAccessRule', { body: freeze });
  await expect(sync()).rejects.toMatchObject(refusedBy);

  await runSql(databaseUrl, 'delete from access_rules; update accounts set access_version = access_version + 1');
  const mayI = { entity: 'application', action: 'SYNC', ...good } as const;
  await eventually(async () => expect((await robot.call('canI', { query: mayI })).allowed).toBe(true));
  // It may have read the rules of 3 s ago for the act before.
  await eventually(() => expect(sync()).rejects.toMatchObject(refusedBy));
  const { items } = await api().call('listAudit', { query: { action: 'application.sync', actor: 'robot' } });
  expect(items.slice(0, 2).map(({ outcome }) => outcome)).toEqual(['failed', 'requested']);
  await robot.call('refreshApplication', { params: good, body: {} });
});

it('deleting it leaves its applications running, within their limits', async () => {
  await api().call('deleteGitSource', { params: { ...runtime, gitSource: 'team-a' } });
  await eventually(async () => expect(await app('team-a')).toBeUndefined(), 30_000);
  expect((await app('good'))?.spec.project).toBe('team-a');
  const project = { ...applicationRef, kind: 'AppProject', name: 'team-a' };
  expect(await house.world.get(project)).toBeDefined();
});

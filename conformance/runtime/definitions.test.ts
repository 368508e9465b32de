// Applications by commit, the whole way: platform, tunnel, app-proxy, git server, Git Source, engine, cluster.
import { type ApplicationProblem, createApiClient, gitTokenPurpose, seal } from '@fairlead/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Repository } from '../engine/world.ts';
import { type House, registerHosted, startHouse } from './world.ts';

let house: House;
let definitions: Repository;
let content: Repository;
let other: ReturnType<typeof createApiClient>;
const runtime = { runtime: 'hosted' };
const id = { ...runtime, namespace: 'argocd', name: 'web' };
const demo = { name: 'demo' };

const configMap = (greeting: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: greeting\ndata:\n  text: ${greeting}\n`;

const manifest = (
  over: { name?: string; path?: string; revision?: string; extra?: string; project?: string } = {},
) => `\
# what deploys the web
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: ${over.name ?? 'web'}
  finalizers: [resources-finalizer.argocd.argoproj.io]
spec:
  project: ${over.project ?? 'default'}
  source:
    repoURL: ${content.url}
    path: ${over.path ?? 'app'}
    targetRevision: ${over.revision ?? 'main'}
  destination:
    server: https://kubernetes.default.svc
    namespace: web
  syncPolicy:
    automated: { prune: true, selfHeal: true }
    syncOptions: [CreateNamespace=true]
${over.extra ?? ''}`;

const api = () => house.platform.api;

async function giveToken(client = api()) {
  const { host } = new URL(house.world.gitUrl);
  const { key } = await client.call('getSealingKey', { params: runtime });
  const { user } = await client.call('me', {});
  const sealed = await seal('test-key', { to: key, purpose: gitTokenPurpose({ userId: user.id, host }) });
  const body = { provider: 'builtin', url: house.world.gitUrl, sealed } as const;
  await client.call('putGitToken', { params: { ...runtime, host }, body });
}

beforeAll(async () => {
  house = await startHouse();
  await house.startRuntime();
  await registerHosted(house);
  definitions = await house.world.repository('demo/applications');
  content = await house.world.repository('demo/content');
  await content.push(
    { 'app/greeting.yaml': configMap('one'), 'broken/x.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: [' },
    'one',
  );
  await definitions.push({ 'apps/README.md': 'here' }, 'first');
  const spec = {
    project: 'default',
    source: { repoURL: definitions.url, path: 'apps', targetRevision: 'main', directory: { recurse: true } },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'argocd' },
    syncPolicy: { automated: { prune: true, selfHeal: true, allowEmpty: true } },
  };
  await house.world.application('demo', spec, { labels: { 'fairlead.io/entity': 'git-source' } });
  await eventually(async () => {
    expect((await api().call('getRuntime', { params: runtime })).status).toBe('connected');
  }, 60_000);
  await api().call('inviteUser', { body: { name: 'robot', kind: 'service' } });
  const { key } = await api().call('createApiKey', { body: { name: 'k', user: 'robot' } });
  other = createApiClient({ baseUrl: house.platform.url, headers: () => ({ authorization: `Bearer ${key}` }) });
}, 180_000);
afterAll(() => house?.stop());

const live = async (name = 'web') =>
  house.world.get({ group: 'argoproj.io', version: 'v1alpha1', kind: 'Application', namespace: 'argocd', name });
const greeting = async () => {
  const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'web', name: 'greeting' };
  return ((await house.world.get(ref))?.['data'] as { text?: string } | undefined)?.text;
};
const reported = (check: (row: { sync: { status: string }; health: { status: string } }) => void) =>
  eventually(async () => check((await api().call('getApplication', { params: id })).row), 30_000);
const lastCommit = async (repository: Repository) => {
  await repository.work.git('fetch', '--quiet', repository.url.replace('//', '//test:test-key@'), 'main');
  return repository.work.git('log', '-1', '--format=%an <%ae>|%s', 'FETCH_HEAD');
};

describe('without a Git token', () => {
  it('nothing can be committed, and the answer says what to do', async () => {
    const body = { manifest: manifest(), gitSource: demo };
    const { host } = new URL(house.world.gitUrl);
    await expect(api().call('createApplication', { params: runtime, body })).rejects.toMatchObject({
      status: 422,
      code: 'git_token_missing',
      message: expect.stringContaining(`fairlead git-token add ${host}`),
      body: { details: { host } },
    });
  });
});

describe('a preview', () => {
  beforeAll(() => giveToken());
  const preview = (text: string, over = {}) =>
    api().call('previewApplication', { params: runtime, body: { manifest: text, gitSource: demo, ...over } });

  it('says where it would be committed and what would be deployed, and leaves no trace', async () => {
    const seen = await preview(manifest());
    expect(seen.problems).toEqual([]);
    expect(seen.file).toEqual({ repoURL: definitions.url, branch: 'main', path: 'apps/web.yaml', exists: false });
    expect(seen.manifests).toMatchObject([{ kind: 'ConfigMap', data: { text: 'one' } }]);
    expect((await api().call('listAudit', { query: { action: 'application.preview' } })).items).toEqual([]);
  });

  it.each<[string, () => string, Partial<ApplicationProblem>]>([
    ['text that is no YAML', () => 'a: [', { field: '', line: 1 }],
    ['another kind', () => 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n', { field: 'kind' }],
    ['two manifests', () => `${manifest()}---\n${manifest()}`, { field: '' }],
    ['a bad name', () => manifest({ name: 'Web_1' }), { field: 'metadata.name' }],
    ['a name that is taken', () => manifest({ name: 'demo' }), { field: 'metadata.name' }],
    ['a project that is not there', () => manifest({ project: 'nothing' }), { field: 'spec.project' }],
    ['a folder that is not there', () => manifest({ path: 'nothing' }), { field: 'spec.source.path' }],
    ['an unknown branch', () => manifest({ revision: 'nothing' }), { field: 'spec.source.targetRevision' }],
    ['content that does not render', () => manifest({ path: 'broken' }), { field: 'spec.source' }],
    [
      'an unknown cluster',
      () => manifest().replace('https://kubernetes.default.svc', 'https://elsewhere'),
      { field: 'spec.destination.server' },
    ],
    [
      'an unreachable repository',
      () => manifest().replace('demo/content', 'demo/nothing'),
      { field: 'spec.source.repoURL' },
    ],
  ])('of %s names field, cause and remedy', async (_, text, expected) => {
    const { problems } = await preview(text());
    const [found] = problems.filter(({ severity }) => severity === 'error');
    expect(found).toMatchObject(expected);
    expect(found?.reason).not.toBe('');
    expect(found?.remedy).toBeTruthy();
    const body = { manifest: text(), gitSource: demo };
    await expect(api().call('createApplication', { params: runtime, body })).rejects.toMatchObject({ code: 'invalid' });
  });

  it('in a Git Source that is not there says so', async () => {
    await expect(preview(manifest(), { gitSource: { name: 'nothing' } })).rejects.toMatchObject({
      code: 'git_source_missing',
    });
  });

  it('is held to the rules of the project', async () => {
    await house.world.client.create({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'narrow', namespace: 'argocd' },
      spec: { sourceRepos: ['https://elsewhere/*'], destinations: [{ server: '*', namespace: 'team-*' }] },
    });
    const { problems } = await preview(manifest({ project: 'narrow' }));
    expect(problems.map(({ field }) => field)).toEqual(['spec.source.repoURL', 'spec.destination']);
  });
});

describe('an application', () => {
  it('is created by one readable commit of the user, and is deployed from there', async () => {
    const body = { manifest: manifest(), gitSource: demo };
    const { commit } = await api().call('createApplication', { params: runtime, body });
    expect(commit).toMatchObject({ branch: 'main', path: 'apps/web.yaml', changed: true });
    expect(await lastCommit(definitions)).toBe('admin <admin@fairlead.invalid>|Add application web');
    await reported(({ sync, health }) => expect([sync.status, health.status]).toEqual(['Synced', 'Healthy']));
    expect(await greeting()).toBe('one');
    const audit = await api().call('listAudit', { query: { action: 'application.create' } });
    expect(audit.items[0]?.details).toMatchObject({ commit: commit.sha });
  }, 40_000);

  it('shows the file that defines it', async () => {
    const definition = await api().call('getApplicationDefinition', { params: id });
    expect(definition).toMatchObject({ path: 'apps/web.yaml', documents: 1, gitSource: { name: 'demo' } });
    expect(definition.text).toBe(manifest());
  });

  it('is edited by a commit; the second of two editors sees both versions and loses nothing', async () => {
    const { commit: base, text } = await api().call('getApplicationDefinition', { params: id });
    const mine = text.replace('# what deploys the web', '# mine');
    const yours = text.replace('# what deploys the web', '# yours');
    await api().call('editApplicationDefinition', { params: id, body: { text: mine, base } });
    expect(await lastCommit(definitions)).toBe('admin <admin@fairlead.invalid>|Change application web');
    await giveToken(other);
    await expect(
      other.call('editApplicationDefinition', { params: id, body: { text: yours, base } }),
    ).rejects.toMatchObject({
      status: 409,
      code: 'conflict',
      body: { details: { path: 'apps/web.yaml', base: text, theirs: mine, yours } },
    });
    expect((await api().call('getApplicationDefinition', { params: id })).text).toBe(mine);
  });

  it('keeps its name when it is edited, and is checked before the commit', async () => {
    const { commit: base, text } = await api().call('getApplicationDefinition', { params: id });
    const edit = (changed: string) =>
      api().call('editApplicationDefinition', { params: id, body: { text: changed, base } });
    await expect(edit(text.replace('name: web', 'name: other'))).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('metadata.name'),
    });
    await expect(edit(text.replace('path: app', 'path: nothing'))).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('spec.source.path'),
    });
  });

  it('that no Git Source brought cannot be changed by commit', async () => {
    const params = { ...id, name: 'demo' };
    await eventually(() => api().call('getApplication', { params }));
    await expect(api().call('getApplicationDefinition', { params })).rejects.toMatchObject({
      code: 'git_source_missing',
      message: expect.stringContaining('no Git Source brought it'),
    });
  });
});

describe('a rollback', () => {
  it('with auto-sync on is a commit by the user that restores the folder; auto-sync stays on', async () => {
    await content.push(
      { 'app/greeting.yaml': configMap('two'), 'app/more.yaml': configMap('x').replace('greeting', 'more') },
      'two',
    );
    await eventually(async () => expect(await greeting()).toBe('two'), 30_000);
    await reported(({ sync }) => expect(sync.status).toBe('Synced'));
    const { report } = await api().call('getApplication', { params: id });
    const [first] = report.history;
    const historyId = first?.id ?? -1;
    const dry = await api().call('rollbackApplication', { params: id, body: { historyId, dryRun: true } });
    expect(dry).toMatchObject({
      how: 'commit',
      files: [
        { path: 'app/greeting.yaml', change: 'changed' },
        { path: 'app/more.yaml', change: 'removed' },
      ],
    });
    expect(dry.commit).toBeUndefined();
    const done = await api().call('rollbackApplication', { params: id, body: { historyId } });
    expect(done.commit?.changed).toBe(true);
    expect(await lastCommit(content)).toMatch(/^admin <admin@fairlead.invalid>\|Roll back web to [0-9a-f]{7}$/);
    await eventually(async () => expect(await greeting()).toBe('one'), 30_000);
    const spec = (await live())?.['spec'] as { syncPolicy?: { automated?: unknown } } | undefined;
    expect(spec?.syncPolicy?.automated).toBeTruthy();
    const again = await api().call('rollbackApplication', { params: id, body: { historyId } });
    expect([again.files, again.commit]).toEqual([[], undefined]);
  }, 60_000);

  it('to a release that is not in the history, or by the engine against auto-sync, is refused with what to do', async () => {
    await expect(api().call('rollbackApplication', { params: id, body: { historyId: 999 } })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('not in the history'),
    });
    const [first] = (await api().call('getApplication', { params: id })).report.history;
    const body = { historyId: first?.id ?? 0, how: 'engine' as const };
    await expect(api().call('rollbackApplication', { params: id, body })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('auto-sync'),
    });
  });

  it('with auto-sync off is the engine’s own', async () => {
    const { commit: base, text } = await api().call('getApplicationDefinition', { params: id });
    const manual = text.replace('    automated: { prune: true, selfHeal: true }\n', '');
    await api().call('editApplicationDefinition', { params: id, body: { text: manual, base } });
    await eventually(async () => {
      const spec = (await live())?.['spec'] as { syncPolicy?: { automated?: unknown } } | undefined;
      expect(spec?.syncPolicy?.automated).toBeUndefined();
    }, 30_000);
    const { report } = await api().call('getApplication', { params: id });
    const second = report.history.find(({ id: at }) => at === 1);
    const done = await api().call('rollbackApplication', { params: id, body: { historyId: second?.id ?? -1 } });
    expect(done).toMatchObject({ how: 'engine', files: [] });
    await eventually(async () => expect(await greeting()).toBe('two'), 30_000);
  }, 60_000);
});

describe('deleting', () => {
  it('tells first what goes, then removes the file and with it everything', async () => {
    const impact = await api().call('getDeletionImpact', { params: id });
    expect(impact).toMatchObject({ applicationGoes: true, resourcesGo: true });
    expect(impact.resources.map(({ kind }) => kind)).toContain('ConfigMap');
    const { commit } = await api().call('deleteApplication', { params: id, query: {} });
    expect(commit.changed).toBe(true);
    expect(await lastCommit(definitions)).toBe('admin <admin@fairlead.invalid>|Delete application web');
    await eventually(async () => {
      expect(await live()).toBeUndefined();
      expect(await greeting()).toBeUndefined();
    }, 30_000);
  }, 40_000);
});

describe('repositories', () => {
  it('are listed with the user’s own token: repositories, branches, folders', async () => {
    const { host } = new URL(house.world.gitUrl);
    const { items } = await api().call('listRepositories', { params: runtime, query: { host, search: 'content' } });
    expect(items.map(({ fullName }) => fullName)).toEqual(['demo/content']);
    const query = { repoURL: content.url };
    expect(await api().call('listBranches', { params: runtime, query })).toEqual({
      items: ['main'],
      defaultBranch: 'main',
    });
    const folder = await api().call('listFiles', { params: runtime, query: { ...query, path: 'app' } });
    expect(folder.items).toEqual([{ name: 'greeting.yaml', kind: 'file' }]);
    await expect(
      api().call('listFiles', { params: runtime, query: { ...query, path: 'nothing' } }),
    ).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      api().call('listBranches', { params: runtime, query: { repoURL: 'git@github.com:a/b.git' } }),
    ).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('ssh') });
  });
});

// Setting up through Git, the whole way: the Shared Configuration Repository, Git Sources and a managed cluster that is a
// real second one, all by the platform's API and by plain commits.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exec } from '@fairlead/base';
import { type RunningCluster, startCluster } from '@fairlead/cluster';
import { ApiError, clusterCredentialsPurpose, gitTokenPurpose, seal } from '@fairlead/contracts';
import { GitMirrors } from '@fairlead/git';
import { KubeClient, loadKubeconfig } from '@fairlead/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, Repository } from '../engine/world.ts';
import { type House, registerHosted, startHouse } from './world.ts';

let house: House;
let target: RunningCluster;
let targetClient: KubeClient;
let git: string;
const runtime = { runtime: 'hosted' };

beforeAll(async () => {
  [house, target] = await Promise.all([startHouse(), startCluster()]);
  targetClient = new KubeClient(await loadKubeconfig(target.kubeconfig));
  git = house.world.gitUrl;
  await house.startRuntime();
  await registerHosted(house);
  await eventually(async () => {
    expect((await api().call('getRuntime', { params: runtime })).status).toBe('connected');
    await api().call('getSealingKey', { params: runtime }); // the app-proxy knows who it is, too
  });
}, 60_000);
afterAll(async () => {
  await targetClient?.close();
  await house?.stop();
  await target?.stop();
});

const api = () => house.platform.api;
const applications = () => `${git}/fairlead/applications.git`;
const sharedConfig = () => `${git}/fairlead/shared-config.git`;

async function sealFor(text: string, purpose: (userId: string) => string) {
  const [{ key }, { user }] = await Promise.all([
    api().call('getSealingKey', { params: runtime }),
    api().call('me', {}),
  ]);
  return seal(text, { to: key, purpose: purpose(user.id) });
}

async function giveToken(): Promise<void> {
  const { host } = new URL(git);
  const sealed = await sealFor('test-key', (userId) => gitTokenPurpose({ userId, host }));
  await api().call('putGitToken', { params: { ...runtime, host }, body: { provider: 'builtin', url: git, sealed } });
}

async function add(name: string, over: { server?: string; token?: string } = {}) {
  const { server, ca = '', token = '' } = targetClient.connection;
  const at = over.server ?? server;
  const credentials = {
    bearerToken: over.token ?? token,
    tlsClientConfig: { caData: Buffer.from(ca).toString('base64') },
  };
  const sealed = await sealFor(JSON.stringify(credentials), (userId) =>
    clusterCredentialsPurpose({ userId, server: at }),
  );
  return api().call('addCluster', { params: runtime, body: { name, server: at, labels: { region: 'eu' }, sealed } });
}

/** A working copy of a repository of the built-in server, as somebody has it who commits by hand. */
async function cloned(url: string): Promise<Repository> {
  const copy = await house.world.repository(`by-hand/${url.length}-${Math.trunc(performance.now())}`);
  const readable = url.replace('//', '//test:test-key@');
  await copy.work.git('fetch', '--quiet', readable, 'main');
  await copy.work.git('reset', '--quiet', '--hard', 'FETCH_HEAD');
  return new Repository(copy.work, url);
}

const application = (name: string, destination: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: ${name}, namespace: argocd, finalizers: [resources-finalizer.argocd.argoproj.io] }
spec:
  project: default
  source: { repoURL: ${git}/fairlead/manifests.git, path: ., targetRevision: main }
  destination: { ${destination}, namespace: ${name} }
  syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: [CreateNamespace=true] }
`;
const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\ndata: { greeting: hello }\n';

describe('connecting a Git provider', () => {
  it('needs a token, and says how to give one', async () => {
    const body = { sharedConfigRepo: sharedConfig() };
    const refused = api().call('connectConfiguration', { params: runtime, body });
    await expect(refused).rejects.toMatchObject({ code: 'git_token_missing', message: /fairlead git-token add/ });
  });

  it('makes both repositories by commits of the acting user, and the runtime follows them', async () => {
    await giveToken();
    const body = { sharedConfigRepo: sharedConfig(), gitSource: { name: 'default', repoURL: applications() } };
    const { created, commits } = await api().call('connectConfiguration', { params: runtime, body });
    expect(created).toEqual([sharedConfig(), applications()]);
    const mirrors = new GitMirrors({ dir: `${house.world.dir}/look` });
    const credentials = { username: 'x', password: 'test-key' };
    const commit = await mirrors.resolve(sharedConfig(), 'main', { credentials });
    expect(commits.at(-1)?.sha).toBe(commit);
    const metadata = await (await mirrors.repository(sharedConfig())).commitMetadata(commit);
    expect(JSON.stringify(metadata)).toContain('admin');
    await mirrors.stop();
    await eventually(async () => {
      const { items } = await api().call('listGitSources', {});
      expect(items).toMatchObject([{ name: 'default', repoUrl: applications(), sync: 'Synced' }]);
      expect((await api().call('getSetup', {})).git).toMatchObject({
        status: 'done',
        sharedConfigRepo: sharedConfig(),
      });
    }, 30_000);
    expect((await api().call('listApplications', {})).items).toEqual([]);
  });

  it('again changes nothing, and another repository is refused', async () => {
    const body = { sharedConfigRepo: sharedConfig() };
    expect(await api().call('connectConfiguration', { params: runtime, body })).toMatchObject({ commits: [] });
    const other = { sharedConfigRepo: `${git}/other/config.git` };
    await expect(api().call('connectConfiguration', { params: runtime, body: other })).rejects.toMatchObject({
      code: 'conflict',
      message: /once connected it stays/,
    });
  });
});

describe('a managed cluster', () => {
  it('is refused when it does not answer, or not with these credentials', async () => {
    await expect(add('prod', { token: 'ended' })).rejects.toThrow(/credentials: .* refuses them/);
    await expect(add('prod', { server: 'https://127.0.0.1:1' })).rejects.toThrow(/server: the runtime cannot reach/);
    await expect(add('Prod!')).rejects.toThrow(/name: "Prod!" is not a valid name/);
    await expect(add('in-cluster')).rejects.toThrow(/runtime's own cluster/);
    const { items } = await house.world.client.list({ apiVersion: 'v1', kind: 'Secret', namespace: 'argocd' });
    const isCluster = (labels = {}) => Object.values(labels).includes('cluster');
    expect(items.filter(({ metadata }) => isCluster(metadata.labels))).toEqual([]);
  });

  it('is registered by a commit, and applications are deployed to it', async () => {
    const { commit } = await add('prod');
    expect(commit).toMatchObject({ path: 'runtimes/hosted/prod.yaml', repoURL: sharedConfig() });
    const manifests = await house.world.repository('fairlead/manifests');
    await manifests.push({ 'settings.yaml': settings });
    const source = await cloned(applications());
    await source.push({ 'far.yaml': application('far', 'name: prod') });
    await source.push({ 'near.yaml': application('near', 'server: "https://kubernetes.default.svc"') });
    await eventually(async () => {
      const ref = { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'far', name: 'settings' };
      expect(await targetClient.get(ref)).toHaveProperty('data.greeting', 'hello');
      const { items } = await api().call('listClusters', {});
      expect(items.find(({ name }) => name === 'prod')).toMatchObject({
        status: 'Successful',
        labels: { region: 'eu' },
      });
      expect((await api().call('getSetup', {})).complete).toBe(true);
    }, 30_000);
  });

  it('takes other labels, and only under a name that is free', async () => {
    const body = { labels: { region: 'us' } };
    await api().call('updateCluster', { params: { ...runtime, cluster: 'prod' }, body });
    await eventually(async () => {
      const { items } = await api().call('listClusters', {});
      expect(items.find(({ name }) => name === 'prod')?.labels).toEqual({ region: 'us' });
    });
    await expect(add('second-name')).rejects.toThrow(/is there already, as cluster prod/);
    const unknown = api().call('removeCluster', { params: { ...runtime, cluster: 'nobody' } });
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a Git Source', () => {
  // It takes the engine up to 23 s to be sure that a cluster is gone; meanwhile nothing else may suffer.
  beforeAll(() => target.stop());

  const names = async () => (await api().call('listGitSources', {})).items.map(({ name }) => name);

  it('is made with its repository, shown in a preview, and changed', async () => {
    const repoURL = `${git}/team-a/apps.git`;
    const body = { name: 'team-a', repoURL, createRepository: true };
    const { commit } = await api().call('createGitSource', { params: runtime, body });
    expect(commit.path).toBe('resources/runtimes/hosted/team-a.yaml');
    const source = await cloned(repoURL);
    await source.push({ 'a.yaml': settings, 'sub/b.yaml': 'broken: [', 'notes.txt': 'x' });
    const query = { repoURL, exclude: 'sub/*' };
    const { files } = await api().call('previewGitSource', { params: runtime, query });
    expect(files).toEqual([
      { path: 'a.yaml', included: true, holds: ['ConfigMap settings'] },
      { path: 'sub/b.yaml', included: false },
    ]);
    await eventually(async () => expect(await names()).toContain('team-a'));
    const one = { ...runtime, gitSource: 'team-a' };
    const { baseSha, text } = await api().call('getGitSource', { params: one });
    expect(text).toContain('fairlead.io/entity: git-source');
    await api().call('updateGitSource', { params: one, body: { exclude: 'sub/*' } });
    const stale = api().call('updateGitSource', { params: one, body: { include: '*.yml', baseSha } });
    const conflict = await stale.catch((error: unknown) => error as ApiError);
    expect(conflict).toBeInstanceOf(ApiError);
    expect(conflict).toMatchObject({ code: 'conflict', body: { details: { theirs: /sub/, yours: /yml/ } } });
    await eventually(async () => {
      const { items } = await api().call('listGitSources', {});
      expect(items.find(({ name }) => name === 'team-a')).toMatchObject({ exclude: 'sub/*', sync: 'Synced' });
    });
  });

  it('by hand is the same as one by the API, and reverting its commit undoes it', async () => {
    const config = await cloned(sharedConfig());
    const { text } = await api().call('getGitSource', { params: { ...runtime, gitSource: 'team-a' } });
    const file = 'resources/runtimes/hosted/by-hand.yaml';
    await config.push({ [file]: text.replace('name: team-a', 'name: by-hand') });
    await eventually(async () => expect(await names()).toContain('by-hand'));
    await config.push({ [file]: null });
    await eventually(async () => expect(await names()).not.toContain('by-hand'));
  });

  it('is removed by a commit', async () => {
    await api().call('deleteGitSource', { params: { ...runtime, gitSource: 'team-a' } });
    await eventually(async () => expect(await names()).toEqual(['default']));
    const gone = api().call('deleteGitSource', { params: { ...runtime, gitSource: 'team-a' } });
    await expect(gone).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    [{ name: 'Team_A' }, /name: "Team_A" is not a valid name; use lower-case/],
    [{ repoURL: 'git@github.com:team-a/apps.git' }, /repoURL: Invalid URL: .* give the HTTPS address/],
    [{ repoURL: 'nowhere' }, /repoURL: /],
    [{ repoURL: 'missing.git' }, /^repoURL: .*missing\.git cannot be read/],
    [{ branch: 'no-such-branch' }, /^branch: .* has no branch no-such-branch; push it/],
    [{ path: 'no/such/folder' }, /path: .* has no folder no\/such\/folder at main; create it, or leave path empty/],
    [{ repoURL: 'shared-config.git' }, /repoURL: .* is the Shared Configuration Repository/],
    [{ name: 'default' }, /name: .* named default is there already; choose another name/],
  ])('with %j is refused by field, cause and remedy', async (over, words) => {
    const given = { name: 'bad', repoURL: 'applications.git', ...over };
    const isOurs = given.repoURL.endsWith('.git') && !given.repoURL.startsWith('git@');
    const body = { ...given, repoURL: isOurs ? `${git}/fairlead/${given.repoURL}` : given.repoURL };
    await expect(api().call('createGitSource', { params: runtime, body })).rejects.toThrow(words);
  });

  it('that is broken in Git is refused by file and line', async () => {
    const config = await cloned(sharedConfig());
    const file = 'resources/runtimes/hosted/default.yaml';
    const { text } = await api().call('getGitSource', { params: { ...runtime, gitSource: 'default' } });
    await config.push({ [file]: 'kind: [' });
    const broken = api().call('updateGitSource', { params: { ...runtime, gitSource: 'default' }, body: { path: '' } });
    await expect(broken).rejects.toThrow(/default\.yaml:\d+: is not valid YAML/);
    await config.push({ [file]: text });
  });
});

describe('a managed cluster that does not answer any more', () => {
  it('is told with its reason, and harms no other', async () => {
    await eventually(async () => {
      const { items } = await api().call('listClusters', {});
      expect(items.find(({ name }) => name === 'prod')).toMatchObject({ status: 'Failed', message: /\w/ });
      expect(items.find(({ name }) => name === 'in-cluster')?.status).toBe('Successful');
    }, 30_000);
    const id = { runtime: 'hosted', namespace: 'argocd', name: 'near' };
    expect((await api().call('getApplication', { params: id })).row.health.status).toBe('Healthy');
  }, 45_000);

  it('is unlinked by a commit, and what it ran is not touched', async () => {
    const { commit } = await api().call('removeCluster', { params: { ...runtime, cluster: 'prod' } });
    expect(commit?.changed).toBe(true);
    await eventually(async () => {
      const { items } = await api().call('listClusters', {});
      expect(items.map(({ name }) => name)).toEqual(['in-cluster']);
    });
    const id = { runtime: 'hosted', namespace: 'argocd', name: 'far' };
    expect((await api().call('getApplication', { params: id })).row.id).toEqual(id);
  });
});

describe('a command with', () => {
  const program = fileURLToPath(new URL('../../packages/cli/bin/fairlead.mjs', import.meta.url));
  let home: string;
  const kubeconfig = () => join(home, 'kubeconfig');

  beforeAll(async () => {
    home = join(house.world.dir, 'cli-home');
    await mkdir(home);
    await api().call('inviteUser', { body: { name: 'clerk', kind: 'service' } });
    const keys = { admin: '', clerk: '' };
    for (const user of ['admin', 'clerk'] as const) {
      keys[user] = (await api().call('createApiKey', { body: { name: 'cli', user } })).key;
    }
    await writeFile(join(home, 'endpoints.json'), JSON.stringify({ platform: house.platform.url }));
    await writeFile(join(home, 'api-key'), keys.admin);
    const others = [{ name: 'clerk', url: house.platform.url, apiKey: keys.clerk }];
    await writeFile(join(home, 'contexts.json'), JSON.stringify({ items: others }));
    await writeFile(kubeconfig(), target.kubeconfig);
    await writeFile(join(home, 'bad.yaml'), 'kind: Application\nmetadata: {name: [\n');
  });

  const create = (...flags: string[]) => ['git-source', 'create', 'bad', '--git-src-repo', ...flags];
  it.each<[string, () => string[], number, RegExp]>([
    [
      'a bad name',
      () => ['git-source', 'create', 'Team_A', '--git-src-repo', applications()],
      2,
      /name: "Team_A".*use lower-case/,
    ],
    ['an SSH address', () => create('git@github.com:a/b.git'), 2, /repoURL: .*give the HTTPS address/],
    [
      'an unreachable repository',
      () => create(`${git}/fairlead/missing.git`),
      7,
      /repoURL: .*missing\.git cannot be read.*check/,
    ],
    ['an unknown branch', () => create(applications(), '--branch', 'nope'), 2, /branch: .*has no branch nope; push it/],
    [
      'a host without a token',
      () => create('https://github.com/a/b.git'),
      4,
      /github\.com.*fairlead git-token add github\.com/,
    ],
    ['a Git Source that is not there', () => ['git-source', 'delete', 'nope'], 3, /no Git Source nope; there: default/],
    [
      'bad YAML',
      () => ['app', 'create', '-f', join(home, 'bad.yaml'), '--git-source', 'default'],
      2,
      /line \d+: is not valid YAML/,
    ],
    [
      'a wrong context',
      () => ['cluster', 'add', '--kubeconfig', kubeconfig(), '--context', 'x'],
      2,
      /--context x: .*choose one of/,
    ],
    [
      'a kubeconfig that is not there',
      () => ['cluster', 'add', '--kubeconfig', '/nowhere'],
      2,
      /--kubeconfig \/nowhere: cannot read/,
    ],
    [
      'labels that are none',
      () => ['cluster', 'add', '--kubeconfig', kubeconfig(), '--labels', 'x'],
      2,
      /--labels: "x".*write/,
    ],
    [
      'a bad name of a cluster',
      () => ['cluster', 'add', '--kubeconfig', kubeconfig(), '--name', 'A_'],
      2,
      /--name "A_".*lower-case/,
    ],
    [
      'an unknown runtime',
      () => ['cluster', 'add', 'r9', '--kubeconfig', kubeconfig()],
      3,
      /no runtime r9; there are: hosted/,
    ],
    [
      'a token that has ended',
      () => ['git-token', 'add', git, '--provider', 'builtin'],
      4,
      /does not take this token; make a new one/,
    ],
    ['rights that are missing', () => ['cluster', 'remove', 'in-cluster', '--as', 'clerk'], 4, /administrator|admin/],
  ])(
    '%s is refused by field, cause and remedy',
    async (_, args, code, words) => {
      const [first = '', ...rest] = args();
      const isClerk = rest.at(-2) === '--as';
      const env = {
        ...process.env,
        FAIRLEAD_HOME: home,
        FAIRLEAD_CONFIG: join(home, 'contexts.json'),
        ...(isClerk ? { FAIRLEAD_CONTEXT: 'clerk' } : {}),
      };
      const given = [program, first, ...(isClerk ? rest.slice(0, -2) : rest)];
      const options = { env, input: 'ended', okExitCodes: [0, 1, 2, 3, 4, 5, 6, 7], timeoutMs: 60_000 };
      const { exitCode, stderr, stdout } = await exec(process.execPath, given, options);
      expect(stdout.toString('utf8') + stderr).toMatch(words);
      expect(exitCode).toBe(code);
    },
    60_000,
  );
});

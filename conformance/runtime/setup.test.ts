// Setting up through Git, the whole way: the Shared Configuration Repository, Git Sources and a managed cluster that is a
// real second one, all by the platform's API and by plain commits.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exec } from '@fairlead/base';
import { type RunningCluster, startCluster } from '@fairlead/cluster';
import { ApiError, clusterCredentialsPurpose, gitTokenPurpose, seal } from '@fairlead/contracts';
import { GitMirrors } from '@fairlead/git';
import { KubeClient, loadKubeconfig } from '@fairlead/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, Repository } from '../engine/world.ts';
import { fairlead } from './command-line.ts';
import { type House, registerHosted, startHouse } from './world.ts';
import { askingCommands, withoutInput, wrongCommands } from './wrong-commands.ts';

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
    }, 90_000);
    const id = { runtime: 'hosted', namespace: 'argocd', name: 'near' };
    expect((await api().call('getApplication', { params: id })).row.health.status).toBe('Healthy');
  }, 120_000);

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

describe('a command', () => {
  let home: string;
  let env: Record<string, string | undefined>;
  const filled = (line: string) =>
    line
      .split(' ')
      .filter(Boolean)
      .map((word) => (word.startsWith('@') ? join(home, word.slice(1)) : word))
      .map((word) => word.replace('GIT', git).replace('PLATFORM', house.platform.url));
  const run = (line: string, as = 'admin', input = '') =>
    fairlead(filled(line), { env: { ...env, FAIRLEAD_CONTEXT: as }, input });
  const heads = async (): Promise<string> => {
    const mirrors = new GitMirrors({ dir: join(home, 'mirrors') });
    const credentials = { username: 'x', password: 'test-key' };
    const all = await Promise.all(
      [applications(), sharedConfig()].map((url) => mirrors.resolve(url, 'main', { credentials })),
    );
    await mirrors.stop();
    return all.join(' ');
  };
  let before: string[];
  const traces = async (): Promise<string[]> => {
    const accounts = await house.world.client.list({ apiVersion: 'v1', kind: 'ServiceAccount' });
    const given = accounts.items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('fairlead-'));
    return [await heads(), await readFile(join(home, 'contexts.json'), 'utf8'), ...given.sort()];
  };

  beforeAll(async () => {
    home = join(house.world.dir, 'cli-home');
    await mkdir(home);
    for (const name of ['clerk', 'gone']) await api().call('inviteUser', { body: { name, kind: 'service' } });
    const keyOf = (user: string) => api().call('createApiKey', { body: { name: 'cli', user } });
    const [admin, clerk, gone] = [await keyOf('admin'), await keyOf('clerk'), await keyOf('gone')];
    await api().call('revokeApiKey', { params: { key: gone.row.id } });
    await api().call('createRuntime', { body: { name: 'away', kind: 'hybrid' } });
    const { url } = house.platform;
    const hosted = { runtime: 'hosted' };
    const items = [
      { name: 'admin', url, apiKey: admin.key, ...hosted },
      { name: 'bare', url, apiKey: admin.key },
      { name: 'clerk', url, apiKey: clerk.key, ...hosted },
      { name: 'gone', url, apiKey: gone.key, ...hosted },
      { name: 'down', url: 'http://127.0.0.1:1', apiKey: 'secret-x', ...hosted },
      { name: 'stranger', url: git, apiKey: 'secret-x', ...hosted },
    ];
    await writeFile(join(home, 'contexts.json'), JSON.stringify({ items }), { mode: 0o600 });
    const kubeconfig = await readFile(join(house.world.dir, 'kubeconfig'), 'utf8');
    const near = application('near', 'server: "https://kubernetes.default.svc"');
    const other = near.replaceAll('near', 'other');
    const rule = 'apiVersion: fairlead.io/v1alpha1\nkind: AccessRule\nmetadata: { name: x }\n';
    const spec = 'spec: { effect: allow, teams: [nobody], entity: application, actions: [VIEW] }\n';
    const files = {
      good: kubeconfig,
      ended: kubeconfig.replace(/token: .*/, 'token: secret-ended'),
      dead: kubeconfig.replace(/server: .*/, 'server: https://127.0.0.1:1'),
      broken: 'users: [{ user: { token: secret-x } }\nclusters: [',
      'bad.yaml': 'kind: Application\nmetadata: {name: [\n',
      'near.yaml': near,
      'changed.yaml': near.replace('prune: true', 'prune: false'),
      'other.yaml': other,
      'bad-name.yaml': near.replaceAll('near', 'Bad_Name'),
      'bad-path.yaml': other.replace('path: .', 'path: nowhere'),
      'bad-revision.yaml': other.replace('targetRevision: main', 'targetRevision: nope'),
      'bad-repository.yaml': other.replace('manifests.git', 'missing.git'),
      'rule.yaml': rule + spec,
      'bad-rule.yaml': rule + spec.replace('allow', 'maybe'),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(home, name), text);
    await exec('git', ['init', '--quiet', home]);
    const author = ['-c', 'user.name=x', '-c', 'user.email=x@example.com'];
    await exec('git', ['-C', home, ...author, 'commit', '--quiet', '--allow-empty', '--message', 'x']);
    env = { FAIRLEAD_HOME: undefined, HOME: home, KUBECONFIG: join(home, 'good') };
    env['FAIRLEAD_CONFIG'] = join(home, 'contexts.json');
    before = await traces();
  });

  it.each(wrongCommands)('$line ($as) ends with $code, by field, cause and remedy', async (given) => {
    const { line, code, says, as, input } = given;
    const { code: ended, stdout, stderr } = await run(line, as, input);
    expect(stderr, line).toMatch(says);
    expect(ended, `${line}: ${stderr}`).toBe(code);
    expect(stdout + stderr, line).not.toMatch(/secret-|\n {4}at |TypeError/);
  });

  it('of those left nothing behind: no commit, no account, no folder, no context', async () => {
    expect(await traces()).toEqual(before);
    expect(existsSync(join(home, '.fairlead/attached/x'))).toBe(false);
  });

  it.each([
    { as: 'down', code: 7, says: /context down: no answer from http:\/\/127\.0\.0\.1:1; check the address/ },
    {
      as: 'gone',
      code: 4,
      says: /context gone: .* does not take the API key .*; make a new one .*fairlead context add/,
    },
  ])('that asks the platform with context $as says which, and what to do', async ({ as, code, says }) => {
    for (const line of askingCommands) {
      const { code: ended, stderr } = await run(line, as, 'x');
      expect(stderr, line).toMatch(says);
      expect(ended, line).toBe(code);
    }
  });

  it('with a flag that is misspelt says which is meant, and every command has its wrong inputs here', async () => {
    const required: Readonly<Record<string, string>> = {
      'app create': '-f x',
      'access-rule apply': '-f x',
      'audit verify': '--file x',
      'runtime access': '--mode tunnel',
      'runtime detach': '--kubeconfig x',
      'runtime install': '--name x',
      health: '-f x',
      plan: '--repo x',
      validate: '-f x',
    };
    const commands = await commandsOf(run);
    expect(commands.length).toBeGreaterThan(60);
    for (const command of commands.filter((each) => each !== 'role' && each !== 'help')) {
      const { code, stderr } = await run(`${command} ${required[command] ?? ''} --hlep`);
      expect(stderr, command).toMatch(/unknown option '--hlep'\n\(Did you mean --help\?\)/);
      expect(code, command).toBe(2);
    }
    const has = (command: string) => wrongCommands.some(({ line }) => `${line} `.startsWith(`${command} `));
    const asks = (command: string) => askingCommands.some((line) => `${line} `.startsWith(`${command} `));
    expect(commands.filter((each) => !has(each) && !asks(each) && !withoutInput.includes(each))).toEqual([]);
  });
});

/** As completion offers them: `app list`, `up`. */
async function commandsOf(run: (line: string) => Promise<{ stdout: string }>): Promise<string[]> {
  const wordsOf = async (line: string) => {
    const { stdout } = await run(`__complete ${line}`.trim());
    return stdout.split('\n').filter((word) => word !== '' && !word.startsWith('-'));
  };
  const all: string[] = [];
  for (const noun of await wordsOf('')) {
    const verbs = await wordsOf(noun);
    all.push(...(verbs.length > 0 ? verbs.map((verb) => `${noun} ${verb}`) : [noun]));
  }
  return all;
}

// The rules of a real repository, and Applications that a Kubernetes API tells of.
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRegistry, FakeClock, listen, type Registry, silentLogger } from '@fairlead/base';
import {
  type AccessRuleInput,
  type AppProxyRoute,
  type AssertionClaims,
  adminsOnly,
  appProxyRoutes,
  argoApiVersion,
} from '@fairlead/contracts';
import { GitMirrors, WorkingCopy } from '@fairlead/git';
import { KubeClient } from '@fairlead/kube';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ArgoCdClient } from '../argo-cd/index.ts';
import { accessRuleFile, configurationApplication, writeAccessRule } from '../configuration/index.ts';
import { type GitAccess, GitAccessError, type GitRights } from '../git-access/index.ts';
import { FollowedAccessRules, SharedConfig } from '../shared-config/index.ts';
import { GitJudgement } from './git-judgement.ts';
import { Judge } from './judge.ts';

const stops: (() => unknown)[] = [];
const applications = new Map<string, object>();
let dir: string;
let client: KubeClient;
let mirrors: GitMirrors;
let copy: WorkingCopy;
let clock: FakeClock;
let registry: Registry;
let judge: Judge;
let count = 0;
let askedOfGit: string[] = [];
let mayInGit: GitRights['may'];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-judge-'));
  stops.push(() => rm(dir, { recursive: true, force: true }));
  const resources = [
    { name: 'applications', namespaced: true, kind: 'Application', verbs: ['get'] },
    { name: 'applicationsets', namespaced: true, kind: 'ApplicationSet', verbs: ['get'] },
  ];
  const server = createServer(({ url = '' }, response) => {
    const found = applications.get(url.split('/').at(-1) ?? '');
    const isDiscovery = url === '/apis/argoproj.io/v1alpha1';
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404, reason: 'NotFound' };
    response.writeHead(isDiscovery || found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isDiscovery ? { kind: 'APIResourceList', resources } : (found ?? status)));
  });
  const { port, close } = await listen(server, { port: 0 });
  stops.push(() => close(0));
  client = new KubeClient({ server: `http://127.0.0.1:${port}` });
  stops.push(() => client.close());
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

const application = (name: string, project: string) => ({
  apiVersion: argoApiVersion,
  kind: 'Application',
  metadata: { name, namespace: 'argocd', labels: { tier: 'web' } },
  spec: { project, source: { repoURL: 'https://git.example/a.git' }, destination: { name: 'prod', namespace: 'shop' } },
});

beforeEach(async () => {
  clock = new FakeClock();
  mirrors?.stop();
  mirrors = new GitMirrors({ dir: join(dir, `mirrors-${++count}`), allowFile: true, clock });
  stops.push(() => mirrors.stop());
  copy = await WorkingCopy.init(join(dir, `config-${count}`));
  await copy.write({ 'README.md': 'configuration' });
  await copy.commit('begin');
  askedOfGit = [];
  mayInGit = async ({ sub }, { repoURL, wanted }) => {
    askedOfGit.push(`${sub} ${wanted} ${repoURL}`);
    return wanted === 'read';
  };
  applications.clear();
  applications.set('cart', application('cart', 'shop'));
  const sharedConfig = { repoURL: copy.dir, branch: 'main', path: '' };
  applications.set('eu-isc', configurationApplication({ runtime: 'eu', namespace: 'argocd', sharedConfig }));
  judge = newJudge();
});

/** As after a start of the app-proxy. */
function newJudge(): Judge {
  registry = createRegistry('test');
  const log = silentLogger;
  const cluster = () => client;
  const unused = {} as ArgoCdClient & GitAccess; // reading rules asks neither the engine nor for a user's token
  const sharedConfig = new SharedConfig({ cluster, engine: unused, git: unused, namespace: 'argocd', log });
  const credentials = () => Promise.resolve(undefined);
  const rules = new FollowedAccessRules({ sharedConfig, mirrors, credentials, registry, clock, log });
  const git = new GitJudgement({ rights: { may: mayInGit }, cluster, engineNamespace: 'argocd' });
  return new Judge({ rules, git, cluster, registry, log });
}

const rule = (name: string, over: Partial<AccessRuleInput> = {}): AccessRuleInput => ({
  name,
  effect: 'allow',
  teams: ['shop'],
  entity: 'application',
  actions: ['VIEW', 'SYNC'],
  attributes: { projects: ['shop'], clusters: ['prod'], namespaces: ['shop'], labels: { tier: 'web' } },
  ...over,
});

async function commit(...rules: AccessRuleInput[]): Promise<void> {
  await copy.write(Object.fromEntries(rules.map((each) => [accessRuleFile(each.name), writeAccessRule(each)])));
  await copy.commit('change rules');
}

const user = (over: Partial<AssertionClaims> = {}): AssertionClaims => {
  const claims = {
    sub: 'u',
    name: 'ada',
    account: 'a',
    role: 'user',
    teams: ['shop'],
    act: '',
    on: '',
    requestId: 'r',
  };
  return { ...claims, ...over } as AssertionClaims; // a literal's role is widened to text
};
const cart = { namespace: 'argocd', name: 'cart' };
const signal = new AbortController().signal;
const ask = (route: AppProxyRoute, claims: Partial<AssertionClaims> = {}, params: Record<string, string> = cart) =>
  judge.judge({ route, params, user: user(claims), runtime: 'eu', signal });
const { syncApplication, terminateOperation, getDeletionImpact, addCluster, getGitSource, listGitTokens } =
  appProxyRoutes;

describe('the judgement of the app-proxy', () => {
  it('lets members act while the runtime follows no repository, and while that has no rules', async () => {
    await ask(syncApplication, { teams: [] });
    applications.delete('eu-isc');
    await ask(syncApplication, { teams: [] });
  });

  it('goes by the rules in Git and by the Application in its cluster, whatever else the platform says', async () => {
    await commit(rule('shop'));
    await ask(syncApplication);
    await expect(ask(terminateOperation)).rejects.toMatchObject({
      code: 'forbidden',
      message:
        'you may not TERMINATE_SYNC application eu/argocd/cart: no access rule allows it; ask an administrator of the account for a rule that allows it',
    });
    const lie = { teams: ['other'], allowed: true, act: 'application.sync' };
    await expect(ask(syncApplication, lie)).rejects.toMatchObject({ code: 'not_found' });
    applications.set('cart', application('cart', 'bank'));
    await expect(ask(syncApplication)).rejects.toMatchObject({
      code: 'not_found',
      message: 'there is no application argocd/cart in runtime eu',
    });
  });

  it('names the rule that denies', async () => {
    await commit(rule('shop'), rule('freeze', { effect: 'deny', teams: ['*'], actions: ['SYNC'], attributes: {} }));
    const details = { rule: 'freeze' };
    await expect(ask(syncApplication)).rejects.toMatchObject({ code: 'forbidden', details });
    await ask(getDeletionImpact);
    expect(await registry.metrics()).toMatch(/judged_no_total\{act="application.sync"[^}]*\} 1/);
  });

  it('says the same of what is not there as of what is hidden', async () => {
    await commit(rule('shop'));
    await expect(ask(syncApplication, {}, { namespace: 'argocd', name: 'none' })).rejects.toMatchObject({
      code: 'not_found',
      message: 'there is no application argocd/none in runtime eu',
    });
  });

  it('keeps what is for administrators from others, and rules from administrators', async () => {
    await expect(ask(addCluster)).rejects.toMatchObject({
      code: 'forbidden',
      message: adminsOnly,
    });
    await commit(rule('freeze', { effect: 'deny', teams: ['*'], attributes: {} }));
    await ask(syncApplication, { role: 'admin', teams: [] });
    await ask(addCluster, { role: 'admin', teams: [] });
  });

  it('hides runtimes and Git Sources that rules hide', async () => {
    await commit(
      rule('none', { effect: 'deny', entity: 'gitSource', actions: ['VIEW'], attributes: { names: ['x*'] } }),
    );
    await ask(getGitSource, {}, { gitSource: 'a' });
    await expect(ask(getGitSource, {}, { gitSource: 'x1' })).rejects.toMatchObject({
      message: 'there is no Git Source x1 in runtime eu',
    });
    await ask(listGitTokens, {}, {});
    await commit(rule('away', { effect: 'deny', entity: 'runtime', actions: ['VIEW'], attributes: {} }));
    clock.advance(3_001);
    await expect(ask(listGitTokens, {}, {})).rejects.toMatchObject({ message: 'there is no runtime eu' });
  });

  it('refuses by the newest rules only, and allows by rules that are seconds old at most', async () => {
    await commit(rule('shop', { teams: ['other'] }));
    await expect(ask(syncApplication)).rejects.toMatchObject({ code: 'not_found' });
    await commit(rule('shop'));
    clock.advance(1); // within the seconds
    await ask(syncApplication);
    await commit(rule('shop', { teams: ['other'] }));
    clock.advance(3_001);
    await expect(ask(syncApplication)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('goes on by the rules it read last while the repository is away, after a restart too', async () => {
    await commit(rule('shop'));
    await ask(syncApplication);
    await rename(copy.dir, `${copy.dir}-away`);
    clock.advance(3_001);
    await ask(syncApplication);
    await expect(ask(terminateOperation)).rejects.toMatchObject({ code: 'forbidden' });
    judge = newJudge();
    await ask(syncApplication);
    expect(await registry.metrics()).toMatch(/stale_rules_total\S* [1-9]/);
  });

  it('lets only administrators act while it never could read the repository that it follows', async () => {
    await rename(copy.dir, `${copy.dir}-away`);
    await expect(ask(syncApplication)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^runtime eu cannot read its access rules from .*only administrators act$/),
    });
    await ask(syncApplication, { role: 'admin' });
  });
});

describe('with Git rights enforced', () => {
  const file = 'resources/configurations/git-rights.yaml';
  const enforced =
    'apiVersion: fairlead.io/v1alpha1\nkind: GitRights\nmetadata: { name: git-rights }\nspec: { enforce: acts }\n';
  const brought = { 'argocd.argoproj.io/tracking-id': 'team:argoproj.io/Application:argocd/cart' };
  const write = async (text: string) => {
    await copy.write({ [file]: text });
    await copy.commit('enforce');
  };

  beforeEach(() => {
    const { metadata, ...rest } = application('cart', 'shop');
    applications.set('cart', { ...rest, metadata: { ...metadata, annotations: brought } });
    applications.set('team', application('team', 'default'));
  });

  it('asks whether the user may read or push where the manifest is, and refuses in words', async () => {
    await ask(syncApplication);
    expect(askedOfGit).toEqual([]);
    await write(enforced);
    clock.advance(3_001);
    await ask(getDeletionImpact);
    await expect(ask(syncApplication)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringMatching(
        /^you may not SYNC application eu\/argocd\/cart: your Git token may not push to .* git\.example/,
      ),
    });
    expect(askedOfGit.slice(0, 2)).toEqual(['u read https://git.example/a.git', 'u write https://git.example/a.git']);
  });

  it('asks for the repository that holds the ApplicationSet of an application which one generates', async () => {
    await write(enforced);
    const { metadata, ...rest } = application('cart', 'shop');
    const generated = { ...metadata, ownerReferences: [{ kind: 'ApplicationSet', name: 'carts' }] };
    applications.set('cart', { ...rest, metadata: generated });
    await expect(ask(getDeletionImpact)).rejects.toMatchObject({ message: /nothing in Git brought it/ });
    applications.set('carts', { ...rest, kind: 'ApplicationSet', metadata: { name: 'carts', annotations: brought } });
    await ask(getDeletionImpact);
    expect(askedOfGit).toEqual(['u read https://git.example/a.git']);
  });

  it('counts a broken file as enforced', async () => {
    await write('spec: [');
    await expect(ask(syncApplication)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('leaves what nothing in Git brought to administrators, and says which token is missing', async () => {
    await write(enforced);
    applications.delete('team');
    await expect(ask(getDeletionImpact)).rejects.toMatchObject({ message: /nothing in Git brought it/ });
    applications.set('team', application('team', 'default'));
    mayInGit = () => Promise.reject(new GitAccessError('git_token_missing', 'no token', { details: { host: 'h' } }));
    judge = newJudge();
    await expect(ask(syncApplication)).rejects.toMatchObject({ code: 'git_token_missing', details: { host: 'h' } });
    await ask(syncApplication, { role: 'admin' });
  });

  it('goes by access rules first: Git gives nobody what they deny', async () => {
    mayInGit = () => Promise.resolve(true);
    judge = newJudge();
    await write(enforced);
    await commit(rule('shop'));
    await ask(syncApplication);
    await expect(ask(terminateOperation)).rejects.toMatchObject({
      code: 'forbidden',
      message: /no access rule allows/,
    });
  });
});

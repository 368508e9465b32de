// The blast radius of a change that is not merged yet, asked through platform, tunnel and app-proxy.
import { BuiltinProvider } from '@fairlead/git';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Repository } from '../engine/world.ts';
import { giveGitToken, type House, registerHosted, startHouse } from './world.ts';

let house: House;
let content: Repository;
const runtime = { runtime: 'hosted' };
const api = () => house.platform.api;

const configMap = (name: string, text: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { text: ${text} }\n`;
const secret = (value: string) =>
  `apiVersion: v1\nkind: Secret\nmetadata: { name: key }\nstringData: { password: ${value} }\n`;

function spec(path: string, targetRevision = 'main') {
  return {
    project: 'default',
    source: { repoURL: content.url, path, targetRevision },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'default' },
  };
}

/** Commits on a branch of their own and pushes that; the working copy goes back to where it was. */
async function branch(name: string, files: Readonly<Record<string, string | null>>): Promise<string> {
  const { work } = content;
  await work.git('checkout', '--quiet', '-B', name, 'main');
  await work.write(files);
  const commit = await work.commit(name);
  await work.git('push', '--quiet', '--force', content.url.replace('//', '//test:test-key@'), `HEAD:${name}`);
  await work.git('checkout', '--quiet', 'main');
  return commit;
}

const askPull = (pullRequest: number) =>
  api().call('createPlan', { params: runtime, body: { repoURL: content.url, pullRequest } });
const ask = (to: string) => api().call('createPlan', { params: runtime, body: { repoURL: content.url, to } });

beforeAll(async () => {
  house = await startHouse();
  await house.startRuntime();
  await registerHosted(house);
  content = await house.world.repository('demo/mono');
  await content.push({
    'a/x.yaml': configMap('x', 'one'),
    'b/y.yaml': configMap('yy', 'one'),
    'c/key.yaml': secret('first-value'),
    'apps/a2.yaml': application('a2', 'a'),
  });
  for (const name of ['a', 'b', 'c']) await house.world.application(name, spec(name));
  await house.world.application('pinned', spec('a', 'v1'));
  await house.world.application('source', spec('apps'));
  await eventually(async () => {
    expect((await api().call('getRuntime', { params: runtime })).status).toBe('connected');
  }, 60_000);
  await giveGitToken(house);
}, 180_000);
afterAll(() => house?.stop());

const application = (name: string, path: string) =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: ${name}, namespace: argocd }\nspec: ${JSON.stringify(
    spec(path),
  )}\n`;

describe('a plan', () => {
  it('names exactly the applications whose objects would change, object by object', async () => {
    const to = await branch('change-a', { 'a/x.yaml': configMap('x', 'two'), 'b/README.md': 'no input' });
    const made = await ask('change-a');
    expect(made).toMatchObject({ onto: 'main', to, total: 5, following: 4, changedFiles: 2, truncated: false });
    expect(made.applications).toMatchObject([
      {
        name: 'a',
        change: 'changed',
        objects: [{ kind: 'ConfigMap', name: 'x', change: 'changed', before: { data: { text: 'one' } } }],
      },
    ]);
    const again = await ask('change-a');
    expect(again.rendered, 'what was rendered once is known').toBe(0);
  });

  it('shows no value of a Secret', async () => {
    await branch('change-c', { 'c/key.yaml': secret('second-value') });
    const made = await ask('change-c');
    expect(made.applications.map(({ name }) => name)).toEqual(['c']);
    expect(JSON.stringify(made)).not.toMatch(/first-value|second-value/);
    expect(JSON.stringify(made)).toContain('sha256:');
  });

  it('follows applications that an application brings, and says what would fail', async () => {
    await branch('change-apps', {
      'apps/new.yaml': application('new', 'b'),
      'a/x.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: [',
    });
    const made = await ask('change-apps');
    const changes = Object.fromEntries(made.applications.map(({ name, change }) => [name, change]));
    expect(changes).toMatchObject({ a: 'failed', source: 'changed', new: 'added' });
    expect(made.applications.find(({ name }) => name === 'a')?.error).toContain('x.yaml');
    expect(made.applications.find(({ name }) => name === 'new')?.objects).toMatchObject([
      { kind: 'ConfigMap', name: 'yy' },
    ]);
  });

  it('of a commit that is merged already is what that commit changed', async () => {
    const merged = await content.push({ 'b/y.yaml': configMap('yy', 'two') }, 'change b');
    await content.push({ 'a/x.yaml': configMap('x', 'three') }, 'change a');
    const made = await ask(merged);
    expect(made.applications.map(({ name }) => name)).toEqual(['b']);
  });

  it('of a branch does not take back what others merged meanwhile', async () => {
    const made = await ask('change-a');
    expect(made.applications.map(({ name }) => name)).toEqual(['a']);
  });

  it('of a pull request is what its branch would change', async () => {
    await branch('review-me', { 'c/more.yaml': configMap('more', 'one') });
    const provider = new BuiltinProvider({ url: house.world.gitUrl, apiKey: 'test-key' });
    const { number } = await provider.openPullRequest({
      repository: 'demo/mono',
      title: 'More',
      from: 'review-me',
      into: 'main',
    });
    const made = await askPull(number);
    expect(made.applications.map(({ name, change }) => `${name} ${change}`)).toEqual(['c changed']);
  });

  it('refuses what is not there in clear words', async () => {
    await expect(ask('nowhere')).rejects.toThrow(/nowhere/);
    await expect(askPull(99)).rejects.toMatchObject({
      code: 'not_found',
      message: 'pullRequest: there is no pull request 99 in demo/mono',
    });
    const first = await content.work.git('rev-list', '--max-parents=0', 'main');
    await expect(ask(first)).rejects.toThrow(/is the first commit of the repository/);
  });
});

import { contentHash } from '@fairlead/base';
import { type AccessRuleInput, type ApiClient, createApiClient, type ReportedObject } from '@fairlead/contracts';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { platformForTests, runtimeForTests } from '../platform-for-tests.ts';
import { eventually } from '../testing.ts';

const platform = platformForTests();
const here = runtimeForTests(platform, 'here');
const vault = runtimeForTests(platform, 'vault');
let user: ApiClient;
let key: string;
let sequence = 0;

const stamp = (of: string) => ({
  key: of,
  uid: of,
  epoch: 1,
  sequence: ++sequence,
  observedAt: new Date().toISOString(),
  hash: contentHash(`${of} ${sequence}`),
});
const cluster = (name: string): ReportedObject => {
  const server = `https://${name}.example`;
  const report = { name, server, labels: {}, annotations: {}, status: 'Successful', applications: 0 } as const;
  return { kind: 'cluster', cluster: report, ...stamp(server) };
};
const gitSource = (name: string): ReportedObject => {
  const place = { repoUrl: 'https://git.example/apps.git', branch: 'main', path: '', include: '*', exclude: '' };
  const report = { name, namespace: 'argocd', ...place, sync: 'Synced', health: 'Healthy', applications: 1 } as const;
  return { kind: 'git-source', gitSource: report, ...stamp(`argocd/${name}`) };
};

beforeAll(async () => {
  await here.report([cluster('mall'), cluster('bank'), gitSource('shops'), gitSource('banks')]);
  await vault.report([cluster('safe'), gitSource('safes')]);
  await platform.api.call('createTeam', { body: { name: 'shop' } });
  await platform.api.call('inviteUser', { body: { name: 'robot', kind: 'service', teams: ['shop'] } });
  key = (await platform.api.call('createApiKey', { body: { name: 'k', user: 'robot' } })).key;
  user = createApiClient({ baseUrl: platform.url, headers: () => ({ authorization: `Bearer ${key}` }) });
});
afterEach(async () => {
  const { items } = await platform.api.call('listAccessRules', {});
  for (const { id: rule } of items) await platform.api.call('deleteAccessRule', { params: { rule } });
});

const rule = (more: Pick<AccessRuleInput, 'entity' | 'attributes'> & Partial<AccessRuleInput>): AccessRuleInput => ({
  name: `sees-${more.entity.toLowerCase()}`,
  effect: 'allow',
  teams: ['shop'],
  actions: ['VIEW'],
  ...more,
});
const add = (more: Parameters<typeof rule>[0]) => platform.api.call('createAccessRule', { body: rule(more) });
const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);

describe('rules on runtimes', () => {
  it('hide a runtime from lists, search, versions, set-up and every path below it', async () => {
    expect(names((await user.call('listRuntimes', {})).items)).toEqual(['here', 'vault']);
    await add({ entity: 'runtime', attributes: { runtimes: ['he*'] } });
    expect(names((await user.call('listRuntimes', {})).items)).toEqual(['here']);
    expect(names((await user.call('listVersions', {})).runtimes)).toEqual(['here']);
    expect((await user.call('search', { query: { query: 'vault' } })).items).toEqual([]);
    expect(names((await user.call('listClusters', {})).items)).toEqual(['bank', 'mall']);
    expect(JSON.stringify(await user.call('getSetup', {}))).not.toContain('vault"');
    const refusals = [
      () => user.call('getRuntime', { params: { runtime: 'vault' } }),
      () => user.call('listQuarantine', { params: { runtime: 'vault' } }),
      () => user.call('listGitTokens', { params: { runtime: 'vault' } }),
    ];
    for (const refused of refusals) {
      await expect(refused()).rejects.toMatchObject({ status: 404, message: 'there is no runtime vault' });
    }
    expect((await user.call('getRuntime', { params: { runtime: 'here' } })).name).toBe('here');
    expect(names((await platform.api.call('listRuntimes', {})).items)).toEqual(['here', 'vault']);
  });

  it('are told by the live feed: a reset for whom they concern, then nothing of the hidden', async () => {
    const headers = { authorization: `Bearer ${key}` };
    const left = new AbortController();
    const answer = await fetch(`${platform.url}/api/v1/live`, { headers, signal: left.signal });
    let heard = '';
    const reading = (async () => {
      for await (const chunk of answer.body ?? []) heard += Buffer.from(chunk).toString('utf8');
    })().catch(() => undefined); // ends by the abort below
    await add({ entity: 'cluster', attributes: { clusters: ['mall'] } });
    await eventually('a reset', () => heard.includes('"reset"'));
    await here.report([cluster('bank'), cluster('mall')]);
    await eventually('the cluster that is seen', () => heard.includes('mall.example'));
    expect(heard).not.toContain('bank.example');
    left.abort();
    await reading;
  });
});

describe('rules on clusters and Git Sources', () => {
  it('hold in lists and on the paths of single ones', async () => {
    await add({ entity: 'cluster', attributes: { runtimes: ['here'], clusters: ['m*'] } });
    await add({ entity: 'gitSource', attributes: { names: ['*s'] } });
    await add({ entity: 'gitSource', name: 'not-the-bank', effect: 'deny', attributes: { names: ['bank?'] } });
    expect(names((await user.call('listClusters', {})).items)).toEqual(['mall']);
    expect(names((await user.call('listGitSources', {})).items)).toEqual(['shops', 'safes']);
    const params = { runtime: 'here', gitSource: 'banks' };
    await expect(user.call('getGitSource', { params })).rejects.toMatchObject({
      status: 404,
      message: 'there is no Git Source banks in runtime here',
    });
    // One that may be seen is asked for in the runtime, which is away here.
    const seen = user.call('getGitSource', { params: { runtime: 'here', gitSource: 'shops' } });
    await expect(seen).rejects.toMatchObject({ code: 'runtime_unreachable' });
  });

  it('are explained by can-i, which tells no more of the hidden than of the absent', async () => {
    await add({ entity: 'cluster', attributes: { clusters: ['mall'] } });
    const canI = (name: string) =>
      user.call('canI', { query: { entity: 'cluster', action: 'VIEW', runtime: 'here', name } });
    expect(await canI('mall')).toEqual({
      allowed: true,
      because: 'the access rule sees-cluster allows it',
      rule: 'sees-cluster',
    });
    const absent = await canI('none');
    expect(await canI('bank')).toEqual({ ...absent, because: absent.because.replace('none', 'bank') });
    const sync = { entity: 'cluster', action: 'SYNC', runtime: 'here', name: 'mall' } as const;
    await expect(user.call('canI', { query: sync })).rejects.toMatchObject({ code: 'bad_request' });
  });

  it('are previewed with what each group would gain and lose', async () => {
    const body = { rule: rule({ entity: 'gitSource', attributes: { names: ['shops'] } }) };
    const { items } = await platform.api.call('previewAccessRules', { body });
    const lost = ['banks', 'safes'].map((name) => ({
      runtime: name === 'safes' ? 'vault' : 'here',
      namespace: '',
      name,
    }));
    expect(items).toMatchObject([
      { teams: ['shop'], entity: 'gitSource', action: 'VIEW', gains: { count: 0 }, loses: { count: 2, samples: lost } },
    ]);
    expect((await user.call('listGitSources', {})).items).toHaveLength(3);
  });
});

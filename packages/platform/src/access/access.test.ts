import { type AccessRuleInput, type ApiClient, createApiClient, type LiveMessage } from '@fairlead/contracts';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { platformForTests, runtimeForTests } from '../platform-for-tests.ts';
import { adminKey, deletion, eventually, reported, sampleReport } from '../testing.ts';

const platform = platformForTests();
const runtime = runtimeForTests(platform, 'here');
let userKey: string;
let user: ApiClient;
let sequence = 0;

const names = ['shop-cart', 'shop-pay', 'bank-ledger'];
const report = (name: string, labels: Record<string, string> = {}) =>
  sampleReport(name, {
    labels,
    spec: {
      project: name.split('-')[0] ?? '',
      source: { repoURL: 'https://git.example/demo.git', path: name },
      destination: { name: name.startsWith('bank') ? 'vault' : 'mall', namespace: name },
    },
    operation: {
      phase: 'Succeeded',
      startedAt: '2026-01-01T00:00:00Z',
      finishedAt: '2026-01-01T00:00:09Z',
      results: [],
    },
  });
const send = (...objects: unknown[]) => runtime.report(objects);
const id = (name: string) => ({ runtime: 'here', namespace: 'argocd', name });

beforeAll(async () => {
  await send(...names.map((name) => reported(report(name), ++sequence)));
  await platform.api.call('createTeam', { body: { name: 'shop' } });
  await platform.api.call('inviteUser', { body: { name: 'robot', kind: 'service', teams: ['shop'] } });
  userKey = (await platform.api.call('createApiKey', { body: { name: 'k', user: 'robot' } })).key;
  user = createApiClient({ baseUrl: platform.url, headers: () => ({ authorization: `Bearer ${userKey}` }) });
});
afterEach(async () => {
  const { items } = await platform.api.call('listAccessRules', {});
  for (const { id: rule } of items) await platform.api.call('deleteAccessRule', { params: { rule } });
  await platform.api.call('setAccessDefault', { body: { default: 'open' } });
});

const rule = (more: Partial<AccessRuleInput>): AccessRuleInput => ({
  name: 'shop-views',
  effect: 'allow',
  teams: ['shop'],
  entity: 'application',
  actions: ['VIEW'],
  attributes: { projects: ['shop'] },
  ...more,
});
const add = (more: Partial<AccessRuleInput> = {}) => platform.api.call('createAccessRule', { body: rule(more) });

describe('access rules', () => {
  it('hold in every list, count, facet and search from the next request on', async () => {
    expect((await user.call('listApplications', {})).matched).toBe(3);
    await add();
    const page = await user.call('listApplications', { query: { sort: 'name' } });
    expect(page.items.map((row) => row.id.name)).toEqual(['shop-cart', 'shop-pay']);
    expect([page.matched, page.summary.total]).toEqual([2, 2]);
    expect((await user.call('listApplications', { query: { search: 'ledger' } })).matched).toBe(0);
    expect((await user.call('listApplicationFacets', {})).cluster.values).toEqual([{ value: 'mall', count: 2 }]);
    expect((await user.call('search', { query: { query: 'bank' } })).items).toEqual([]);
    expect((await user.call('search', { query: { query: 'vault' } })).items).toEqual([]);
    const { items } = await user.call('listAllDeployments', {});
    expect(items.map(({ application }) => application.name).sort()).toEqual(['shop-cart', 'shop-pay']);
    expect((await platform.api.call('listApplications', {})).matched).toBe(3);
    expect((await platform.api.call('listAllDeployments', {})).items).toHaveLength(3);
  });

  it('make what may not be viewed look absent, in the past too, and refuse acts by the name of the rule', async () => {
    await add({ name: 'all', attributes: {}, actions: ['VIEW', 'SYNC'] });
    await add({ name: 'no-bank', effect: 'deny', attributes: { clusters: ['va*'] } });
    await add({ name: 'freeze', effect: 'deny', actions: ['SYNC'], attributes: { names: ['*-pay'] } });
    const at = new Date().toISOString();
    const absent = { status: 404, code: 'not_found' };
    await expect(user.call('getApplication', { params: id('bank-ledger') })).rejects.toMatchObject(absent);
    await expect(user.call('getApplication', { params: id('bank-ledger'), query: { at } })).rejects.toMatchObject(
      absent,
    );
    await expect(user.call('listDeployments', { params: id('bank-ledger') })).rejects.toMatchObject(absent);
    await expect(user.call('syncApplication', { params: id('bank-ledger'), body: {} })).rejects.toMatchObject(absent);
    const sync = (name: string) => user.call('syncApplication', { params: id(name), body: {} });
    await expect(sync('shop-pay')).rejects.toMatchObject({ status: 403, message: expect.stringContaining('freeze') });
    await expect(sync('shop-cart')).rejects.toMatchObject({ code: 'runtime_unreachable' });
    const audited = await platform.api.call('listAudit', { query: { actor: 'robot', outcome: 'denied' } });
    expect(audited.items.map(({ action }) => action)).toEqual(['syncApplication', 'syncApplication']);
    expect(JSON.stringify(audited.items[0]?.details)).toContain('freeze');
  });

  it('answer what one may do and why, without telling of what is hidden', async () => {
    const canI = (name: string, action: 'SYNC' | 'VIEW') =>
      user.call('canI', { query: { entity: 'application', action, ...id(name) } });
    expect(await canI('shop-pay', 'SYNC')).toMatchObject({ allowed: true, because: expect.stringContaining('open') });
    await add();
    expect(await canI('shop-pay', 'VIEW')).toMatchObject({ allowed: true, rule: 'shop-views' });
    expect(await canI('shop-pay', 'SYNC')).toEqual({ allowed: false, because: 'no access rule allows it' });
    const hidden = await canI('bank-ledger', 'VIEW');
    expect(hidden).toEqual({ allowed: false, because: (await canI('bank-ledger', 'SYNC')).because });
    expect(hidden.because).toBe((await canI('no-such', 'VIEW')).because.replace('no-such', 'bank-ledger'));
  });

  it('close an account whose default says so', async () => {
    await platform.api.call('setAccessDefault', { body: { default: 'closed' } });
    const { matched, summary } = await user.call('listApplications', {});
    expect([matched, summary.unseen]).toEqual([0, 'rules']);
    expect((await platform.api.call('listApplications', {})).summary.unseen).toBeUndefined();
  });

  it('are previewed: who gains and loses what, and nothing is changed', async () => {
    const { items } = await platform.api.call('previewAccessRules', { body: { rule: rule({}) } });
    const [view] = items.filter(({ action }) => action === 'VIEW');
    expect(view).toMatchObject({ teams: ['shop'], users: { count: 1, samples: ['robot'] }, gains: { count: 0 } });
    expect(view?.loses).toEqual({ count: 1, samples: [id('bank-ledger')] });
    expect(items.find(({ action }) => action === 'SYNC')?.loses.count).toBe(3);
    expect((await user.call('listApplications', {})).matched).toBe(3);
  });

  it('are refused when they name no team that is there, what nothing enforces, or an unknown attribute', async () => {
    await expect(add({ teams: ['ghosts'] })).rejects.toMatchObject({ code: 'invalid' });
    await expect(add({ entity: 'cluster' })).rejects.toMatchObject({ code: 'invalid' });
    const sync = { entity: 'gitSource', actions: ['SYNC'], attributes: {} } as const;
    await expect(add({ ...sync, actions: ['SYNC'] })).rejects.toMatchObject({
      message: 'rules on gitSource know the actions VIEW, not SYNC',
    });
    const misspelt = { project: ['shop'] } as AccessRuleInput['attributes'];
    await expect(add({ attributes: misspelt })).rejects.toMatchObject({ code: 'bad_request' });
    await add();
    await expect(add()).rejects.toMatchObject({ code: 'conflict' });
    await expect(platform.api.call('deleteTeam', { params: { team: 'shop' } })).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});

async function listen(key: string) {
  const controller = new AbortController();
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${platform.url}/api/v1/live`, { signal: controller.signal, headers });
  const messages: LiveMessage[] = [];
  const read = async () => {
    let text = '';
    for await (const chunk of answer.body ?? []) {
      const events = (text + Buffer.from(chunk).toString('utf8')).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) messages.push(JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? ''));
    }
  };
  const done = read().catch(() => undefined); // ends by the abort below
  await eventually('the feed begins', () => messages.length > 0);
  const told = () =>
    messages.flatMap((message) => {
      if (message.type === 'application') return [`is ${message.row.id.name}`];
      return message.type === 'application-deleted' ? [`gone ${message.id.name}`] : [];
    });
  const close = () => {
    controller.abort();
    return done;
  };
  return { messages, told, close };
}

describe('the live feed', () => {
  it('tells nobody of what they neither see nor saw, and tells those who lose sight of it', async () => {
    await add({ attributes: { labels: { open: 'yes' } } });
    const [theirs, all] = [await listen(userKey), await listen(adminKey)];
    await send(reported(report('live-hidden'), ++sequence));
    await send(reported(report('live-shown', { open: 'yes' }), ++sequence));
    await eventually('the user sees it', () => theirs.told().includes('is live-shown'));
    await send(reported(report('live-shown', { open: 'no' }), ++sequence));
    await eventually('the user loses sight of it', () => theirs.told().at(-1) === 'gone live-shown');
    await send(deletion(report('live-hidden'), ++sequence));
    await send(reported(report('live-shown', { open: 'yes' }), ++sequence));
    await send(deletion(report('live-shown', { open: 'yes' }), ++sequence));
    await eventually('the administrator hears of the last deletion', () => all.told().includes('gone live-shown'));
    await eventually('so does the user', () => theirs.told().at(-1) === 'gone live-shown');
    expect(theirs.told().some((text) => text.includes('hidden'))).toBe(false);
    expect(all.told()).toContain('gone live-hidden');
    const totals = () =>
      theirs.messages.flatMap((message) => (message.type === 'summary' ? [message.summary.total] : []));
    await eventually('a summary of what the user sees', () => totals().at(-1) === 0);
    await Promise.all([theirs.close(), all.close()]);
  });

  it('starts again for those who see something else after a change of rules or teams', async () => {
    const [theirs, all] = [await listen(userKey), await listen(adminKey)];
    const resets = () => theirs.messages.filter(({ type }) => type === 'reset').length;
    await add();
    await eventually('a reset', () => resets() === 1);
    await platform.api.call('updateTeam', { params: { team: 'shop' }, body: { members: [] } });
    await eventually('another', () => resets() === 2);
    await platform.api.call('updateTeam', { params: { team: 'shop' }, body: { members: ['robot'] } });
    await eventually('and another', () => resets() === 3);
    expect(all.messages.some(({ type }) => type === 'reset')).toBe(false);
    await Promise.all([theirs.close(), all.close()]);
  });
});

import { silentLogger } from '@fairlead/base';
import { type ApiClient, createApiClient, type HealthCode, type LiveMessage } from '@fairlead/contracts';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { platformForTests, runtimeForTests } from '../platform-for-tests.ts';
import { openStore } from '../store/index.ts';
import { adminKey, eventually, reported, sampleReport } from '../testing.ts';
import { lookForNews } from './watch.ts';

const platform = platformForTests();
const runtime = runtimeForTests(platform, 'here');
let user: ApiClient;
let sequence = 0;
beforeAll(async () => {
  await platform.api.call('createTeam', { body: { name: 'shop' } });
  await platform.api.call('inviteUser', { body: { name: 'robot', kind: 'service', teams: ['shop'] } });
  const { key } = await platform.api.call('createApiKey', { body: { name: 'k', user: 'robot' } });
  user = createApiClient({ baseUrl: platform.url, headers: () => ({ authorization: `Bearer ${key}` }) });
});

const report = (name: string, health: HealthCode, more: object = {}) =>
  runtime.report([reported(sampleReport(name, { health: { status: health, message: 'why' }, ...more }), ++sequence)]);
const list = (api = platform.api, query = {}) => api.call('listNotifications', { query });
const kinds = async (api = platform.api) => (await list(api)).items.map(({ kind }) => kind);

/** Runs the look that the platform makes from time to time, now. */
async function look(): Promise<void> {
  const store = openStore({ url: platform.databaseUrl, log: silentLogger });
  try {
    await lookForNews(store);
  } finally {
    await store.close();
  }
}
async function query(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: platform.databaseUrl });
  await client.connect();
  await client.query(text);
  await client.end();
}

describe('notifications', () => {
  it('tell once that an application is degraded and once that it recovered, whatever came in between', async () => {
    for (const health of ['Healthy', 'Degraded', 'Progressing', 'Degraded', 'Progressing', 'Healthy'] as const) {
      await report('cart', health);
    }
    const { items, unread } = await list();
    expect(items.map(({ kind, tone, title }) => [kind, tone, title])).toEqual([
      ['application-recovered', 'good', 'cart is healthy again'],
      ['application-degraded', 'bad', 'cart is degraded'],
    ]);
    expect(items[1]).toMatchObject({
      message: 'why',
      runtime: 'here',
      application: { runtime: 'here', namespace: 'argocd', name: 'cart' },
      read: false,
    });
    expect(unread).toBe(2);
  });

  it('do not tell of what was bad before anybody looked', async () => {
    await report('old', 'Degraded');
    expect((await list()).unread).toBe(2);
  });

  it('tell of each failed sync once, and not of those of long ago', async () => {
    const operation = (at: string) => ({
      operation: { phase: 'Failed', startedAt: at, finishedAt: at, message: 'no such namespace', results: [] },
    });
    const now = new Date().toISOString();
    await report('cart', 'Healthy', operation(now));
    await report('cart', 'Progressing', operation(now));
    await report('older', 'Healthy', operation('2026-01-01T00:00:00Z'));
    const { items } = await list();
    expect(items.filter(({ kind }) => kind === 'sync-failed')).toMatchObject([
      { title: 'Sync of cart failed', message: 'no such namespace' },
    ]);
  });

  it('are marked as read by each reader alone', async () => {
    const [newest, second] = (await list()).items;
    const marked = await platform.api.call('readNotifications', { body: { ids: [newest?.id ?? ''] } });
    expect(marked.unread).toBe(2);
    expect((await list(platform.api, { unread: true })).items[0]?.id).toBe(second?.id);
    expect((await list(user)).unread).toBe(3);
    expect(await platform.api.call('readNotifications', { body: { upTo: newest?.id ?? '' } })).toEqual({ unread: 0 });
  });

  it('of applications are for those who see the application', async () => {
    const rule = { name: 'none', effect: 'deny', teams: ['shop'], entity: 'application', actions: ['VIEW'] } as const;
    const { id } = await platform.api.call('createAccessRule', {
      body: { ...rule, actions: ['VIEW'], teams: ['shop'], attributes: { names: ['cart'] } },
    });
    expect(await list(user)).toEqual({ items: [], unread: 0 });
    await user.call('readNotifications', { body: { upTo: '999999' } });
    await platform.api.call('deleteAccessRule', { params: { rule: id } });
    expect((await list(user)).unread).toBe(3);
  });

  it('tell that a runtime is silent, and that it is back', async () => {
    await query(`update runtimes set last_heard_at = now() - interval '2 minutes'`);
    await look();
    await look();
    await report('cart', 'Healthy');
    await look();
    expect((await kinds()).slice(0, 2)).toEqual(['runtime-online', 'runtime-offline']);
    expect((await kinds()).filter((kind) => kind.startsWith('runtime'))).toHaveLength(2);
  });

  it('tell whom it concerns that a key ends soon', async () => {
    await platform.api.call('createApiKey', { body: { name: 'short', expiresInDays: 3 } });
    await look();
    await look();
    expect((await kinds()).filter((kind) => kind === 'key-expires')).toHaveLength(1);
    expect(await kinds(user)).not.toContain('key-expires');
  });

  it('tell the owner alone that a Git token ends soon, once, and again when it has ended', async () => {
    const inDays = (days: number) => `now() + interval '${days} days'`;
    const ends = (at: string) =>
      query(`insert into git_token_ends (account_id, user_id, runtime_id, host, expires_at)
        select users.account_id, users.id, runtimes.id, 'github.com', ${at} from users, runtimes
        where users.name = 'admin' and runtimes.name = 'here'
        on conflict (user_id, runtime_id, host) do update set expires_at = excluded.expires_at`);
    const told = async () => (await kinds()).filter((kind) => kind === 'git-token-expires').length;
    await ends(inDays(20));
    await look();
    expect(await told()).toBe(0);
    expect((await platform.api.call('me', {})).gitTokenWarnings).toBeUndefined();
    await ends(inDays(3));
    await look();
    await look();
    expect(await told()).toBe(1);
    expect((await platform.api.call('me', {})).gitTokenWarnings).toMatchObject([
      { runtime: 'here', host: 'github.com', problem: expect.stringMatching(/^it ends in 3 days; make a new one/) },
    ]);
    await ends(inDays(-1));
    await look();
    expect((await list()).items[0]).toMatchObject({
      title: 'Your Git token for github.com has ended',
      runtime: 'here',
    });
    expect(await kinds(user)).not.toContain('git-token-expires');
    expect((await user.call('me', {})).gitTokenWarnings).toBeUndefined();
  });

  it('wake the live feed', async () => {
    const controller = new AbortController();
    const headers = { authorization: `Bearer ${adminKey}` };
    const feed = await fetch(`${platform.url}/api/v1/live`, { headers, signal: controller.signal });
    const seen: LiveMessage[] = [];
    const reading = (async () => {
      for await (const chunk of feed.body ?? []) {
        for (const line of Buffer.from(chunk).toString('utf8').split('\n')) {
          if (line.startsWith('data: ')) seen.push(JSON.parse(line.slice(6)));
        }
      }
    })().catch(() => undefined); // ended by the abort below
    await eventually('subscribed', () => seen.length > 0);
    await report('cart', 'Degraded');
    await eventually('told', () => seen.some(({ type }) => type === 'notifications'));
    controller.abort();
    await reading;
  });

  it('tell what is wrong in the words of the list', async () => {
    const headline = '1 pod cannot pull the image example.com/shop:v2.';
    await report('basket', 'Healthy');
    await report('basket', 'Degraded', {
      explanation: { cause: 'image-pull-failed', headline, chain: [], remedies: [] },
    });
    const { items } = await list();
    expect(items.find(({ title }) => title === 'basket is degraded')).toMatchObject({ message: headline });
  });
});

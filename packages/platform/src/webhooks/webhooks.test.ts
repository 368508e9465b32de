import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@fairlead/base';
import type { HealthCode } from '@fairlead/contracts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SealedTexts } from '../auth/sealed-text.ts';
import { platformForTests, runtimeForTests } from '../platform-for-tests.ts';
import { eventually, reported, sampleReport } from '../testing.ts';

const secret = 'a secret of some length';
const platform = platformForTests({ runtimeNetworks: '127.0.0.0/8' });
const runtime = runtimeForTests(platform, 'here');
let receiver: Awaited<ReturnType<typeof listen>>;
let status = 200;
let sequence = 0;
const received: { headers: IncomingHttpHeaders; body: string }[] = [];
beforeAll(async () => {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('what lies behind');
    });
  });
  receiver = await listen(server, { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await receiver?.close(0);
});

const report = (health: HealthCode) =>
  runtime.report([reported(sampleReport('cart', { health: { status: health } }), ++sequence)]);
const add = (name: string, url: string) =>
  platform.api.call('createWebhook', {
    body: { name, url, secret, kinds: ['application-degraded', 'application-recovered'] },
  });
const own = async () => (await platform.api.call('listWebhooks', {})).items[0];
async function query<T extends pg.QueryResultRow>(statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: platform.databaseUrl });
  await client.connect();
  const { rows } = await client.query<T>(statement);
  await client.end();
  return rows;
}

describe('a webhook', () => {
  it.each([
    'https://127.0.0.2.nowhere.invalid:x',
    'http://example.com/hook',
    'https://user:word@example.com/hook',
    'https://169.254.169.254/latest',
    'https://10.0.0.1/hook',
    'https://example.com/hook?token=x',
    'ftp://example.com',
  ])('is refused at %s', async (url) => {
    await expect(add('refused', url)).rejects.toMatchObject({ status: 422, message: expect.stringContaining('url:') });
  });

  it('gets what it asked for, signed over time and body', async () => {
    const { webhook } = await add('ops', `http://127.0.0.1:${receiver.port}/hook`);
    for (const health of ['Healthy', 'Degraded'] as const) await report(health);
    const { headers, body } = await eventually('received', () => received.at(-1));
    const told = JSON.parse(body);
    expect(told).toMatchObject({ kind: 'application-degraded', application: { name: 'cart' }, tone: 'bad' });
    const [, at = '', signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['fairlead-signature'])) ?? [];
    expect(signature).toBe(createHmac('sha256', secret).update(`${at}.${body}`).digest('hex'));
    await eventually('nothing waits', async () => (await own())?.waiting === 0);
    expect(await own()).toMatchObject({ id: webhook.id, dropped: 0, deliveredAt: expect.any(String) });
  });

  it('is tried again later when it does not take it, and tells nothing of the answer', async () => {
    status = 302; // no redirect is followed
    const count = received.length;
    await report('Healthy');
    await eventually('tried', () => received.length > count);
    const row = await eventually('noted', async () => ((await own())?.problem ? own() : undefined));
    expect(row).toMatchObject({ waiting: 1, problem: 'it answered 302' });
    const [first] = await query<{ attempts: number; later: boolean }>(
      'select attempts, next_at > now() as later from webhook_deliveries',
    );
    expect(first).toEqual({ attempts: 1, later: true });
    status = 200;
    await query('update webhook_deliveries set next_at = now(); notify fairlead_changes');
    await eventually('delivered', async () => (await own())?.waiting === 0);
    expect((await own())?.problem).toBeUndefined();
    const [again, once] = [received.at(-1), received.at(-2)];
    expect(again?.headers['fairlead-delivery']).toBe(once?.headers['fairlead-delivery']);
  });

  it('is given up after eight attempts', async () => {
    status = 500;
    await report('Degraded');
    await eventually('tried', async () => (await own())?.problem === 'it answered 500');
    await query('update webhook_deliveries set next_at = now(), attempts = 7; notify fairlead_changes');
    await eventually('given up', async () => (await own())?.waiting === 0);
    expect(await own()).toMatchObject({ problem: 'it answered 500' });
    status = 200;
  });

  it('can be tried by hand', async () => {
    const id = (await own())?.id ?? '';
    const answer = await platform.api.call('testWebhook', { params: { webhook: id } });
    expect(answer).toEqual({ delivered: true, message: 'it was taken' });
    await query('update webhooks set secret = reverse(secret)');
    expect((await platform.api.call('testWebhook', { params: { webhook: id } })).delivered).toBe(false);
  });

  it('keeps its secret sealed, and out of answers and of the audit log', async () => {
    const [stored] = await query<{ secret: string }>('select secret from webhooks');
    expect(Buffer.from(stored?.secret ?? '', 'base64').toString('latin1')).not.toContain(secret);
    const answers = [
      await platform.api.call('listWebhooks', {}),
      await platform.api.call('listAudit', { query: { action: 'webhook.create' } }),
    ];
    expect(JSON.stringify(answers)).not.toContain(secret);
  });

  it('is gone with what waits for it', async () => {
    const id = (await own())?.id ?? '';
    await platform.api.call('deleteWebhook', { params: { webhook: id } });
    expect(await own()).toBeUndefined();
  });
});

describe('a sealed text', () => {
  const texts = new SealedTexts('key', 'purpose');

  it('opens for its owner only, under its key only, and only unchanged', () => {
    const sealed = texts.seal(secret, 'one');
    expect(texts.open(sealed, 'one')).toBe(secret);
    expect(texts.open(sealed, 'another')).toBeUndefined();
    expect(new SealedTexts('key', 'another purpose').open(sealed, 'one')).toBeUndefined();
    expect(texts.open(`${sealed.slice(0, -4)}AAAA`, 'one')).toBeUndefined();
  });
});

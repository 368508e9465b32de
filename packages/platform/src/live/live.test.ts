import { mapLimit } from '@fairlead/base';
import type { LiveMessage } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { platformForTests, runtimeForTests } from '../platform-for-tests.ts';
import { adminKey, deletion, eventually, reported, sampleReport } from '../testing.ts';

const platform = platformForTests();
const runtime = runtimeForTests(platform, 'lively');
let sequence = 0;

interface Received {
  readonly id: number | undefined;
  readonly message: LiveMessage;
}

async function open(lastEventId?: number) {
  const controller = new AbortController();
  const answer = await fetch(`${platform.url}/api/v1/live`, {
    signal: controller.signal,
    headers: {
      authorization: `Bearer ${adminKey}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
    },
  });
  const received: Received[] = [];
  let ended = false;
  const read = async () => {
    let text = '';
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString('utf8');
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const id = /^id: (\d+)$/m.exec(event)?.[1];
        const data = /^data: (.*)$/m.exec(event)?.[1] ?? '';
        received.push({ id: id ? Number(id) : undefined, message: JSON.parse(data) });
      }
    }
  };
  const done = read()
    .catch(() => undefined)
    .finally(() => {
      ended = true;
    });
  await eventually('the feed begins', () => received.length > 0);
  return {
    answer,
    received,
    get ended() {
      return ended;
    },
    lastId: () => received.findLast(({ id }) => id !== undefined)?.id ?? -1,
    rows: () => received.flatMap(({ message }) => (message.type === 'application' ? [message.row] : [])),
    close: () => {
      controller.abort();
      return done;
    },
  };
}

const send = (...objects: unknown[]) => runtime.report(objects);
const change = (name: string, status: 'Healthy' | 'Degraded' | 'Progressing') =>
  send(reported(sampleReport(name, { health: { status } }), ++sequence));

describe('the live feed', () => {
  it('shows a change without being asked, then the summary', async () => {
    const feed = await open();
    await change('fast', 'Degraded');
    await eventually('the row', () => feed.received.find(({ message }) => message.type === 'application'));
    const summary = await eventually('the summary', () =>
      feed.received.find(({ message }) => message.type === 'summary'),
    );
    expect(summary.message).toMatchObject({ summary: { newestTrouble: { id: { name: 'fast' } } } });
    await feed.close();
  });

  it('resumes after the number it saw last, with the newest state of what was missed', async () => {
    const first = await open();
    await change('resumed', 'Healthy');
    await eventually('the row', () => first.rows().length > 0);
    const seen = first.lastId();
    await first.close();
    await change('resumed', 'Progressing');
    await change('missed', 'Healthy');
    await change('resumed', 'Degraded');
    const second = await open(seen);
    // A row may come twice, each time as it is at that moment; what counts is where it ends.
    const shown = () => Object.fromEntries(second.rows().map(({ id, health }) => [id.name, health.status]));
    await eventually('both', () => Object.keys(shown()).length === 2);
    expect(shown()).toEqual({ missed: 'Healthy', resumed: 'Degraded' });
    await second.close();
  });

  it('tells of deletions', async () => {
    await change('leaving', 'Healthy');
    const feed = await open();
    await send(deletion(sampleReport('leaving'), ++sequence));
    const gone = await eventually('it is told', () =>
      feed.received.find(({ message }) => message.type === 'application-deleted'),
    );
    expect(gone.message).toMatchObject({ id: { runtime: 'lively', namespace: 'argocd', name: 'leaving' } });
    await feed.close();
  });

  it.each([[10_000_000], [0]])('says reset to a number it does not remember: %i', async (number) => {
    if (number === 0) await forgetChanges();
    const feed = await open(number);
    expect(feed.received[0]?.message.type).toBe('reset');
    await feed.close();
  });

  it('loses nothing over many changes, whoever writes at the same time', async () => {
    const feed = await open();
    const names = Array.from({ length: 60 }, (_, n) => `burst-${n}`);
    await mapLimit(names, 20, (name) => change(name, 'Healthy'));
    await eventually('all rows', () => new Set(feed.rows().map(({ id }) => id.name)).size === names.length);
    const ids = feed.received.flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    await feed.close();
  });

  it('is closed to strangers', async () => {
    expect((await fetch(`${platform.url}/api/v1/live`)).status).toBe(401);
  });

  it('ends when the platform stops, and resumes at the next', async () => {
    const feed = await open();
    const seen = feed.lastId();
    await platform.restart();
    await eventually('the feed ended', () => feed.ended);
    await change('after-restart', 'Healthy');
    const next = await open(seen);
    await eventually('the row', () => next.rows().some(({ id }) => id.name === 'after-restart'));
    await next.close();
  });
});

async function forgetChanges(): Promise<void> {
  const { Client } = (await import('pg')).default;
  const client = new Client({ connectionString: platform.databaseUrl });
  await client.connect();
  await client.query('delete from changes');
  await client.end();
}

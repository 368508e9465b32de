import type { ApplicationRow, LiveMessage, RuntimeRow } from '@fairlead/contracts';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { keys } from '../api/index.ts';
import { CachePatcher, type FeedSource, idKey, LiveFeed } from './index.ts';
import { type ListData, patchList, patchRuntimes } from './patches.ts';

class StepClock {
  #now = 0;
  #timers: { at: number; callback: () => void }[] = [];
  now = () => this.#now;
  after = (ms: number, callback: () => void) => {
    const timer = { at: this.#now + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };
  pass(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = next.at;
      next.callback();
    }
    this.#now = end;
  }
}

const row = (name: string, change: Partial<ApplicationRow> = {}): ApplicationRow => ({
  id: { runtime: 'eu', namespace: 'argocd', name },
  project: 'default',
  health: { status: 'Healthy' },
  sync: { status: 'Synced' },
  destination: { cluster: 'in-cluster', namespace: name },
  ...{ repoUrl: '', path: '', images: [], autoSync: true, note: '' },
  ...{ changedAt: '2026-01-01T00:00:00Z', lastHeardAt: '2026-01-01T00:00:00Z' },
  ...change,
});
const summary = { total: 2, byHealth: {}, bySync: {} };
const list = (...pages: ApplicationRow[][]): ListData => ({
  pages: pages.map((items) => ({ items, matched: 9, summary })),
  pageParams: pages.map(() => ''),
});
const changes = (...rows: ApplicationRow[]) => new Map(rows.map((changed) => [idKey(changed.id), changed] as const));

describe('patching the list', () => {
  it('changes a row in place and leaves the other pages untouched', () => {
    const before = list([row('a')], [row('b')]);
    const after = patchList(before, changes(row('b', { note: '2 of 6 updated' })));
    expect(after.list.pages[0]).toBe(before.pages[0]);
    expect(after.list.pages[1]?.items[0]?.note).toBe('2 of 6 updated');
    expect(after.needsReload).toBe(false);
  });

  it('asks for a reload when a status changed, a row is unknown or one is gone', () => {
    const before = list([row('a')]);
    expect(patchList(before, changes(row('a', { health: { status: 'Degraded' } }))).needsReload).toBe(true);
    expect(patchList(before, changes(row('new')))).toEqual({ list: before, needsReload: true });
    const gone = patchList(before, new Map([[idKey(row('a').id), null]]));
    expect(gone.list.pages[0]?.items).toEqual([]);
    expect(gone.needsReload).toBe(true);
  });

  it('never replaces a row by an older one', () => {
    const before = list([row('a', { changedAt: '2026-01-01T00:00:09Z' })]);
    expect(patchList(before, changes(row('a'))).list).toBe(before);
  });

  it('puts a new runtime in its place by name', () => {
    const runtime = (name: string, applications = 0): RuntimeRow => ({
      ...{ name, kind: 'hosted', status: 'connected', createdAt: '', applications },
    });
    const rows = patchRuntimes([runtime('a'), runtime('c')], runtime('b'));
    expect(rows.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(patchRuntimes(rows, runtime('c', 7))[2]?.applications).toBe(7);
  });
});

describe('the cache patcher', () => {
  it('collects a burst into one change of the list, and patches summary and open detail', () => {
    const clock = new StepClock();
    const client = new QueryClient();
    const patcher = new CachePatcher(client, clock);
    client.setQueryData(keys.list({}), list([row('a')]));
    client.setQueryData(keys.detail(row('a').id), { row: row('a'), report: {} });
    client.setQueryData(keys.summary, summary);
    let updates = 0;
    client.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && query.queryKey[1] === 'list') updates += 1;
    });
    for (let i = 0; i < 50; i += 1) patcher.receive({ type: 'application', row: row('a', { note: `step ${i}` }) });
    patcher.receive({ type: 'summary', summary: { ...summary, total: 3 } });
    clock.pass(100);
    expect(updates).toBe(1);
    expect(client.getQueryData<ListData>(keys.list({}))?.pages[0]?.items[0]?.note).toBe('step 49');
    expect(client.getQueryData(keys.detail(row('a').id))).toMatchObject({ row: { note: 'step 49' } });
    expect(client.getQueryData(keys.summary)).toMatchObject({ total: 3 });
  });

  it('marks the open application for reload a moment after it changed', () => {
    const clock = new StepClock();
    const client = new QueryClient();
    const patcher = new CachePatcher(client, clock);
    client.setQueryData(keys.detail(row('a').id), { row: row('a'), report: {} });
    patcher.receive({ type: 'application', row: row('a', { note: 'x' }) });
    clock.pass(1000);
    expect(client.getQueryState(keys.detail(row('a').id))?.isInvalidated).toBe(true);
  });
});

describe('the cache patcher, when an answer of before the change is under way', () => {
  /** A page whose first answer is under way until it `comes`; whoever asks then gets `later`. */
  function loading<T>(queryKey: readonly unknown[], later: T) {
    const clock = new StepClock();
    const client = new QueryClient();
    const patcher = new CachePatcher(client, clock);
    let comes: (answer: T) => void = () => undefined;
    const first = new Promise<T>((resolve) => {
      comes = resolve;
    });
    let asked = 0;
    const queryFn = () => (asked++ === 0 ? first : Promise.resolve(later));
    const unsubscribe = new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined);
    const shown = () => client.getQueryData<T>(queryKey);
    return { clock, patcher, unsubscribe, shown, comes: (answer: T) => comes(answer), asked: () => asked };
  }
  const edge = (status: RuntimeRow['status']): RuntimeRow => ({
    ...{ name: 'edge', kind: 'hybrid', status, createdAt: '', applications: 0 },
  });

  it('asks again for the runtimes', async () => {
    const page = loading(keys.runtimes, [edge('connected')]);
    page.patcher.receive({ type: 'runtime', row: edge('connected') });
    page.comes([edge('pending')]);
    await expect.poll(page.shown).toEqual([edge('connected')]);
    page.unsubscribe();
  });

  it('asks again, once, for everything that is loading when the line opens', async () => {
    const page = loading(keys.runtimes, [edge('connected')]);
    for (let i = 0; i < 5; i += 1) page.patcher.reloadAll();
    page.comes([edge('pending')]);
    await expect.poll(page.shown).toEqual([edge('connected')]);
    expect(page.asked()).toBe(2);
    page.unsubscribe();
  });

  it('tells the list once more when it has come, without another request', async () => {
    const page = loading(keys.list({}), list([]));
    page.patcher.receive({ type: 'application', row: row('a', { note: '2 of 6 updated' }) });
    page.clock.pass(300);
    page.comes(list([row('a')]));
    await expect.poll(page.shown).toBeDefined();
    page.clock.pass(60_000);
    expect(page.shown()?.pages[0]?.items[0]?.note).toBe('2 of 6 updated');
    expect(page.asked()).toBe(1);
    page.unsubscribe();
  });

  it('loads a list that nobody looks at when it is looked at again, however many of its rows were patched', () => {
    const clock = new StepClock();
    const client = new QueryClient();
    const patcher = new CachePatcher(client, clock);
    client.setQueryData(keys.list({}), list([row('a')]), { updatedAt: 1 });
    patcher.receive({ type: 'application', row: row('new') });
    clock.pass(3000);
    patcher.receive({ type: 'application', row: row('a', { note: '2 of 6 updated' }) });
    clock.pass(100);
    expect(client.getQueryData<ListData>(keys.list({}))?.pages[0]?.items[0]?.note).toBe('2 of 6 updated');
    expect(client.getQueryState(keys.list({}))).toMatchObject({ isInvalidated: true, dataUpdatedAt: 1 });
  });
});

describe('the feed', () => {
  function setUp() {
    const clock = new StepClock();
    const sources: (FeedSource & { readyState: number; closed: boolean })[] = [];
    const seen: string[] = [];
    const feed = new LiveFeed({
      open: () => {
        const source = {
          ...{ readyState: 0, onopen: null, onmessage: null, onerror: null, closed: false },
          close() {
            source.closed = true;
          },
        };
        sources.push(source);
        return source;
      },
      clock,
      random: () => 1,
      onMessage: ({ type }: LiveMessage) => seen.push(type),
      onGap: () => seen.push('gap'),
      onRefused: () => seen.push('refused'),
    });
    feed.start();
    const last = () => sources.at(-1) as (typeof sources)[number];
    return { clock, sources, seen, feed, last };
  }

  it('loads again after opening and after reset, and passes on the rest', () => {
    const { seen, last, feed } = setUp();
    last().onopen?.();
    last().onmessage?.({ data: '{"type":"ping","at":""}' });
    last().onmessage?.({ data: '{"type":"reset"}' });
    last().onmessage?.({ data: 'not json' });
    expect(seen).toEqual(['gap', 'ping', 'gap', 'gap']);
    expect(feed.state().phase).toBe('live');
  });

  it('takes the reconnect of the browser as a resume, not as a gap', () => {
    const { seen, last, feed } = setUp();
    last().onopen?.();
    last().onerror?.();
    expect(feed.state().phase).toBe('lost');
    last().onopen?.();
    expect(seen).toEqual(['gap']);
    expect(feed.state().phase).toBe('live');
  });

  it('opens anew, with growing delays, when the server refuses', () => {
    const { clock, sources, seen, last } = setUp();
    for (const delayMs of [1000, 2000, 4000]) {
      last().readyState = 2;
      last().onerror?.();
      const before = sources.length;
      clock.pass(delayMs - 1);
      expect(sources).toHaveLength(before);
      clock.pass(1);
      expect(sources).toHaveLength(before + 1);
    }
    expect(seen).toEqual(['refused', 'refused', 'refused']);
  });

  it('does not trust a silent line', () => {
    const { clock, sources, last, feed } = setUp();
    last().onopen?.();
    clock.pass(30_000);
    last().onmessage?.({ data: '{"type":"ping","at":""}' });
    clock.pass(30_000);
    expect(sources).toHaveLength(1);
    clock.pass(15_000);
    expect(sources).toHaveLength(2);
    expect(sources[0]?.closed).toBe(true);
    expect(feed.state().phase).toBe('lost');
  });

  it('does not wait for ever for a line to open, or to open again', () => {
    const { clock, sources, last, feed } = setUp();
    clock.pass(30_000);
    expect(sources).toHaveLength(1);
    clock.pass(15_000);
    expect(sources).toHaveLength(2);
    last().onopen?.();
    last().onerror?.(); // the browser tries again by itself, and nobody answers
    clock.pass(60_000);
    expect(sources).toHaveLength(3);
    expect(sources[1]?.closed).toBe(true);
    last().onopen?.();
    expect(feed.state().phase).toBe('live');
  });

  it('stays closed while paused', () => {
    const { clock, sources, last, feed } = setUp();
    last().onopen?.();
    feed.pause();
    clock.pass(120_000);
    expect(sources).toHaveLength(1);
    expect(feed.state().phase).toBe('paused');
  });
});

import type { ApplicationReport } from '@fairlead/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  adminKey,
  registerTestRuntime,
  reported,
  sampleReport,
  startTestPlatform,
  type TestPlatform,
} from '../testing.ts';
import { isoTime } from './database.ts';

let platform: TestPlatform;
const codes = ['Healthy', 'Degraded', 'Progressing', 'Missing'] as const;
const reports: ApplicationReport[] = Array.from({ length: 120 }, (_, n) =>
  sampleReport(`app-${String(n).padStart(3, '0')}`, {
    health: { status: codes[n % 4] ?? 'Unknown' },
    sync: { status: n % 3 === 0 ? 'OutOfSync' : 'Synced', revision: `${n}`.padStart(40, 'a') },
    images: [`registry.example/image-${n % 5}:v${n}`],
  }),
);

beforeAll(async () => {
  platform = await startTestPlatform();
  const runtime = await registerTestRuntime(platform, 'many');
  const objects = reports.map((report) => reported(report, 1));
  await runtime.api.call('reportEvents', { body: { reporter: 'test', objects, contents: {} } });
});
afterAll(() => platform?.stop());

type Query = Parameters<typeof list>[0];
const list = (query: Record<string, string | number>) => platform.api.call('listApplications', { query });

async function allPages(query: Query) {
  const rows = [];
  for (let after: string | undefined; ; ) {
    const page = await list({ ...query, ...(after ? { after } : {}) });
    rows.push(...page.items);
    if (!page.next) return rows;
    after = page.next;
  }
}

describe('the list of applications', () => {
  it.each(['name', 'changed', 'attention'])(
    'sorted by %s gives each row once, whatever the page size',
    async (sort) => {
      const whole = (await allPages({ sort, limit: 500 })).map(({ id }) => id.name);
      expect(new Set(whole).size).toBe(120);
      for (const limit of [7, 40, 119, 120]) {
        expect((await allPages({ sort, limit })).map(({ id }) => id.name)).toEqual(whole);
      }
    },
  );

  it('sorts by name, and by attention with the worst first', async () => {
    const byName = (await list({ sort: 'name', limit: 500 })).items.map(({ id }) => id.name);
    expect(byName).toEqual([...byName].sort());
    const byAttention = (await list({ limit: 500 })).items.map(({ health }) => health.status);
    expect(byAttention.slice(0, 30).every((status) => status === 'Degraded')).toBe(true);
    expect(byAttention.at(-1)).toBe('Healthy');
  });

  it('filters by comma lists and counts what matches beside the whole', async () => {
    const page = await list({ health: 'Degraded,Missing', sync: 'OutOfSync', limit: 5 });
    const expected = reports.filter(
      ({ health, sync }) => ['Degraded', 'Missing'].includes(health.status) && sync.status === 'OutOfSync',
    );
    expect(page.matched).toBe(expected.length);
    expect(page.items).toHaveLength(5);
    expect(page.summary).toMatchObject({
      total: 120,
      byHealth: { Degraded: 30 },
      newestTrouble: { id: { runtime: 'many' } },
    });
    expect((await list({ runtime: 'other' })).matched).toBe(0);
  });

  it.each([
    ['APP-07', 10],
    ['app-001 image-1', 1],
    ['%', 0],
    ['_pp-', 0],
    ["'; drop table applications; --", 0],
  ])('searches for %j as plain text', async (search, matched) => {
    expect((await list({ search, limit: 500 })).matched).toBe(matched);
  });

  it('gives each row as the page of its application does, and packs the list for who takes it packed', async () => {
    const { items } = await list({ sort: 'name', limit: 2, search: 'app-1' });
    for (const item of items) {
      const { row } = await platform.api.call('getApplication', { params: item.id });
      expect(item).toEqual(row);
    }
    const ask = (encoding: string) =>
      fetch(`${platform.url}/api/v1/applications?sort=name&limit=120`, {
        headers: { authorization: `Bearer ${adminKey}`, 'accept-encoding': encoding },
      });
    const [plain, packed, refused] = await Promise.all([ask('identity'), ask('br, gzip;q=0.5'), ask('gzip;q=0')]);
    expect([plain, packed, refused].map(({ headers }) => headers.get('content-encoding'))).toEqual([
      null,
      'gzip',
      null,
    ]);
    expect(packed.headers.get('vary')).toBe('accept-encoding');
    expect(await packed.json()).toEqual(await plain.json());
  });

  it('does not take a cursor of another order', async () => {
    const { next = '' } = await list({ sort: 'name', limit: 5 });
    await expect(list({ sort: 'changed', limit: 5, after: next })).rejects.toMatchObject({ status: 400 });
  });
});

describe('a time of the database', () => {
  it.each([
    ['2026-01-02 03:04:05+00', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02 03:04:05.6+00', '2026-01-02T03:04:05.600Z'],
    ['2026-01-02 03:04:05.678901+00', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02 03:04:05.678+02', '2026-01-02T01:04:05.678Z'],
    ['2026-01-02 03:04:05+05:30', '2026-01-01T21:34:05.000Z'],
  ])('%s is read as %s', (text, expected) => expect(isoTime(text)).toBe(expected));
});

describe('facets', () => {
  const facets = (query: Record<string, string>) => platform.api.call('listApplicationFacets', { query });
  const counts = (facet: { values: { value: string; count: number }[] }) =>
    Object.fromEntries(facet.values.map(({ value, count }) => [value, count]));

  it('count each value under all other filters, not under their own', async () => {
    const { health, sync, runtime } = await facets({ health: 'Degraded', sync: 'OutOfSync' });
    const outOfSync = reports.filter((report) => report.sync.status === 'OutOfSync');
    const degraded = reports.filter((report) => report.health.status === 'Degraded');
    for (const code of codes) {
      expect(counts(health)[code]).toBe(outOfSync.filter((report) => report.health.status === code).length);
    }
    for (const code of ['Synced', 'OutOfSync']) {
      expect(counts(sync)[code]).toBe(degraded.filter((report) => report.sync.status === code).length);
    }
    const both = degraded.filter((report) => report.sync.status === 'OutOfSync');
    expect(counts(runtime)).toEqual({ many: both.length });
  });

  it('follow the search, and every change at once', async () => {
    expect(counts((await facets({ search: 'app-00' })).runtime)).toEqual({ many: 10 });
    const runtime = await registerTestRuntime(platform, 'later');
    const objects = [reported(sampleReport('app-009', { labels: { team: 'a' } }), 1)];
    await runtime.api.call('reportEvents', { body: { reporter: 'test', objects, contents: {} } });
    expect(counts((await facets({ search: 'app-00' })).runtime)).toEqual({ many: 10, later: 1 });
    expect((await list({ label: 'team=a' })).matched).toBe(1);
    expect((await list({ label: 'team' })).matched).toBe(1);
    expect((await list({ label: 'team=b' })).matched).toBe(0);
    await platform.api.call('deleteRuntime', { params: { runtime: 'later' } });
    expect(counts((await facets({ search: 'app-00' })).runtime)).toEqual({ many: 10 });
  });
});

describe('the search for everything', () => {
  it('finds runtimes, projects, clusters and applications by part of their name', async () => {
    const kinds = async (query: string) =>
      (await platform.api.call('search', { query: { query } })).items.map(({ kind }) => kind);
    expect(await kinds('man')).toEqual(['runtime']);
    expect(await kinds('DEFAU')).toContain('project');
    expect(await kinds('in-cl')).toContain('cluster');
    expect(await kinds('app-011')).toEqual(['application']);
    expect(await kinds('%')).toEqual([]);
    await expect(kinds('')).rejects.toMatchObject({ status: 400 });
  });
});

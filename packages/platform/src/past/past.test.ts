import { contentHash, sha256Hex, silentLogger } from '@fairlead/base';
import type { ApplicationReport, OperationReport } from '@fairlead/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { platformForTests, runtimeForTests } from '../platform-for-tests.ts';
import { openStore, type Store } from '../store/index.ts';
import { deletion, reported, sampleReport } from '../testing.ts';
import { keepContents, sweepPast } from './index.ts';

const platform = platformForTests();
const runtime = runtimeForTests(platform, 'past');
let store: Store;
beforeAll(async () => {
  store = openStore({ url: platform.databaseUrl, log: silentLogger, maxConnections: 2 });
});
afterAll(async () => {
  await store?.close();
});

const hour = 3_600_000;
const started = Date.now() - 100 * hour;
const moment = (hours: number) => new Date(started + hours * hour).toISOString();
const id = (name: string) => ({ runtime: 'past', namespace: 'argocd', name });

interface Step {
  readonly report: ApplicationReport;
  readonly sequence: number;
  readonly atHour: number;
}
const object = ({ report, sequence, atHour }: Step) => ({ ...reported(report, sequence), observedAt: moment(atHour) });

const configMap = (value: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c' },
  data: { value },
});
function withConfig(name: string, value: string, more: Partial<ApplicationReport> = {}) {
  const manifest = configMap(value);
  const hash = contentHash(manifest);
  const resource = {
    group: '',
    version: 'v1',
    kind: 'ConfigMap',
    namespace: name,
    name: 'c',
    desired: hash,
    live: hash,
  };
  return { report: sampleReport(name, { resources: [resource], ...more }), contents: { [hash]: manifest } };
}
const asked = { kind: 'ConfigMap', resource: 'c' };

describe('the past of an application', () => {
  it('is shown as it was at any moment, with its manifests', async () => {
    for (const [n, value] of ['one', 'two', 'three'].entries()) {
      const { report, contents } = withConfig('travelled', value, { sync: { status: 'Synced', revision: value } });
      await runtime.report([object({ report, sequence: n + 1, atHour: n * 10 })], contents);
    }
    const params = id('travelled');
    for (const [hours, value] of [
      [0, 'one'],
      [9, 'one'],
      [10, 'two'],
      [99, 'three'],
    ] as const) {
      const detail = await platform.api.call('getApplication', { params, query: { at: moment(hours) } });
      expect(detail).toMatchObject({ report: { sync: { revision: value } }, row: { sync: { revision: value } } });
      const query = { ...asked, namespace: 'travelled', at: moment(hours) };
      const { live } = await platform.api.call('getApplicationResource', { params, query });
      expect(live).toEqual(configMap(value));
    }
    const before = platform.api.call('getApplication', { params, query: { at: moment(-1) } });
    await expect(before).rejects.toMatchObject({ status: 404 });
  });

  it('ends with a deletion and may begin again', async () => {
    const report = sampleReport('reborn');
    await runtime.report([object({ report, sequence: 1, atHour: 0 })]);
    await runtime.report([{ ...deletion(report, 2), observedAt: moment(5) }]);
    await runtime.report([object({ report, sequence: 3, atHour: 8 })]);
    const at = (hours: number) =>
      platform.api.call('getApplication', { params: id('reborn'), query: { at: moment(hours) } });
    expect((await at(4)).at).toBe(moment(0));
    await expect(at(6)).rejects.toMatchObject({ status: 404 });
    expect((await at(9)).at).toBe(moment(8));
    const { items } = await platform.api.call('getApplicationTimeline', { params: id('reborn') });
    expect(items.map(({ at: when, deleted }) => [when, deleted])).toEqual([
      [moment(8), undefined],
      [moment(5), true],
      [moment(0), undefined],
    ]);
  });

  it('never runs backwards, even when the clock of the runtime does', async () => {
    await runtime.report([object({ report: sampleReport('skewed', { labels: { n: '1' } }), sequence: 1, atHour: 20 })]);
    await runtime.report([object({ report: sampleReport('skewed', { labels: { n: '2' } }), sequence: 2, atHour: 10 })]);
    await runtime.report([
      object({ report: sampleReport('skewed', { labels: { n: '3' } }), sequence: 3, atHour: 10_000 }),
    ]);
    const detail = (at: string) => platform.api.call('getApplication', { params: id('skewed'), query: { at } });
    expect((await detail(moment(20))).report.labels).toEqual({ n: '2' });
    expect((await detail(new Date().toISOString())).report.labels).toEqual({ n: '3' });
  });

  it('is compared between two moments by manifest', async () => {
    const first = withConfig('compared', 'one');
    await runtime.report([object({ report: first.report, sequence: 1, atHour: 0 })], first.contents);
    const second = withConfig('compared', 'two');
    const extra = { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'x', name: 'new' };
    const grown = { ...second.report, resources: [...second.report.resources, extra] };
    await runtime.report([object({ report: grown, sequence: 2, atHour: 5 })], second.contents);
    const diff = await platform.api.call('diffApplication', { params: id('compared'), query: { from: moment(1) } });
    expect(diff.resources.map(({ name, change }) => [name, change])).toEqual([
      ['c', 'changed'],
      ['new', 'added'],
    ]);
    const back = await platform.api.call('diffApplication', {
      params: id('compared'),
      query: { from: moment(6), to: moment(1) },
    });
    expect(back.resources.map(({ change }) => change)).toEqual(['changed', 'removed']);
  });

  it('refuses a moment that is none, and pages by a cursor that is none', async () => {
    for (const query of [{ at: 'yesterday' }, { at: '2026-99-99T00:00:00Z' }]) {
      await expect(platform.api.call('getApplication', { params: id('travelled'), query })).rejects.toMatchObject({
        status: 400,
      });
    }
    const call = platform.api.call('listDeployments', { params: id('travelled'), query: { after: 'x' } });
    await expect(call).rejects.toMatchObject({ status: 400 });
  });
});

describe('deployments', () => {
  const operation = (n: number, phase: OperationReport['phase']): OperationReport => ({
    phase,
    startedAt: moment(n),
    revision: `r${n}`,
    initiatedBy: 'ada',
    results: [],
    ...(phase === 'Running' ? {} : { finishedAt: new Date(Date.parse(moment(n)) + 90_000).toISOString() }),
  });
  const state = (name: string, n: number, phase: OperationReport['phase']) =>
    sampleReport(name, { operation: operation(n, phase), images: [`web:${n}`] });

  it('are kept each once, however often they are reported', async () => {
    const params = id('deployed');
    for (let n = 1; n <= 5; n++) {
      const running = object({ report: state('deployed', n, 'Running'), sequence: n * 2, atHour: n });
      const ended = object({
        report: state('deployed', n, n === 3 ? 'Failed' : 'Succeeded'),
        sequence: n * 2 + 1,
        atHour: n,
      });
      // All in one batch, again, and late: the result of an operation is in an object that a newer one overtakes.
      await runtime.report([running, ended]);
      await runtime.report([ended, running]);
      await runtime.report([running]);
    }
    const { items } = await platform.api.call('listDeployments', { params });
    expect(items.map(({ revision, phase }) => [revision, phase])).toEqual([
      ['r5', 'Succeeded'],
      ['r4', 'Succeeded'],
      ['r3', 'Failed'],
      ['r2', 'Succeeded'],
      ['r1', 'Succeeded'],
    ]);
    expect(items[0]).toMatchObject({
      application: params,
      initiator: 'ada',
      durationMs: 90_000,
      images: { from: ['web:4'], to: ['web:5'] },
    });
    const first = await platform.api.call('listDeployments', { params, query: { limit: 2 } });
    const rest = await platform.api.call('listDeployments', { params, query: { limit: 9, after: first.next ?? '' } });
    expect([...first.items, ...rest.items]).toEqual(items);
  });

  it('are there also when only a later report names the operation before', async () => {
    const objects = [1, 2, 3].map((n) =>
      object({ report: state('overtaken', n, 'Succeeded'), sequence: n, atHour: n }),
    );
    await runtime.report(objects.toReversed());
    const { items } = await platform.api.call('listDeployments', { params: id('overtaken') });
    expect(items.map(({ revision }) => revision)).toEqual(['r3', 'r2', 'r1']);
  });
});

describe('the sweep', () => {
  const count = async (table: string) => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(store.db);
    return Number(rows[0]?.n);
  };

  it('forgets what is older than kept, but never what is still in effect', async () => {
    const params = id('swept');
    for (let n = 0; n < 6; n++) {
      const { report, contents } = withConfig('swept', `sweep-${n}`);
      await runtime.report([object({ report, sequence: n + 1, atHour: n * 10 })], contents);
    }
    // As if all that had been received when it was observed.
    await sql`update contents set named_at = named_at - interval '30 days'`.execute(store.db);
    const before = await count('contents');
    const now = new Date(Date.parse(moment(100)));
    const swept = await sweepPast(store.db, { now, versionsKeptMs: 65 * hour, deploymentsKeptMs: 65 * hour });
    expect(swept.versions).toBeGreaterThanOrEqual(3);
    expect(swept.contents).toBeGreaterThan(0);
    expect(await count('contents')).toBe(before - swept.contents);
    const at = (hours: number) => platform.api.call('getApplication', { params, query: { at: moment(hours) } });
    await expect(at(25)).rejects.toMatchObject({ status: 404 });
    const query = { ...asked, namespace: 'swept', at: moment(36) };
    const { live } = await platform.api.call('getApplicationResource', { params, query });
    expect(live).toEqual(configMap('sweep-3'));
    const again = await sweepPast(store.db, { now, versionsKeptMs: 65 * hour, deploymentsKeptMs: 65 * hour });
    expect(again).toMatchObject({ versions: 0, deployments: 0, contents: 0 });
  });
});

describe('two batches of one account', () => {
  it('do not wait for each other because of contents that both have, such as the empty tree', async () => {
    await runtime.report([reported(sampleReport('one'), 1)]);
    const empty = new Map([[sha256Hex('[]'), '[]']]);
    await store.transaction(async (trx) => {
      const { account_id: accountId } = await trx
        .selectFrom('runtimes')
        .select('account_id')
        .where('id', '=', runtime.id)
        .executeTakeFirstOrThrow();
      await keepContents(trx, { accountId, contents: empty, named: new Set(), now: new Date() });
      const receipt = await runtime.report([reported(sampleReport('other'), 1)]);
      expect(receipt).toMatchObject({ applied: 1, missingContents: [] });
    });
  });
});

import { gzipSync } from 'node:zlib';
import { contentHash } from '@fairlead/base';
import { type ApplicationReport, checker, ReportReceipt, type ResourceReport } from '@fairlead/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { platformForTests, runtimeForTests } from '../platform-for-tests.ts';
import { deletion, registerTestRuntime, reported, sampleReport } from '../testing.ts';

const platform = platformForTests();
const runtime = runtimeForTests(platform, 'reporting');

const idOf = (name: string) => ({ runtime: 'reporting', namespace: 'argocd', name });
const get = (name: string) => platform.api.call('getApplication', { params: idOf(name) });
const withHealth = (name: string, status: ApplicationReport['health']['status']) =>
  sampleReport(name, { health: { status } });

describe('a reported application', () => {
  it('is shown with all that was reported', async () => {
    const report = sampleReport('shown');
    const receipt = await runtime.report([reported(report, 1)]);
    expect(checker(ReportReceipt)(receipt).ok).toBe(true);
    expect(receipt).toMatchObject({ applied: 1, ignored: 0, quarantined: [], missingContents: [] });
    const detail = await get('shown');
    expect(detail.report).toEqual(report);
    expect(detail.row).toMatchObject({
      id: idOf('shown'),
      autoSync: true,
      note: '',
      destination: { cluster: 'in-cluster' },
    });
  });

  it('is the same after one delivery and after ten', async () => {
    const object = reported(withHealth('again', 'Degraded'), 5);
    await runtime.report([object]);
    const once = await get('again');
    for (let i = 0; i < 9; i++) expect(await runtime.report([object])).toMatchObject({ applied: 0, ignored: 1 });
    const tenTimes = await get('again');
    expect({ ...tenTimes.row, lastHeardAt: '' }).toEqual({ ...once.row, lastHeardAt: '' });
  });

  it('never goes back to an older state, in whatever order and batches reports arrive', async () => {
    const codes = ['Healthy', 'Progressing', 'Degraded', 'Missing', 'Suspended'] as const;
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 1 }),
        fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
        async (order, cuts) => {
          const name = `order-${run++}`;
          const batches: unknown[][] = [[]];
          for (const [place, n] of order.entries()) {
            if (cuts[place]) batches.push([]);
            batches.at(-1)?.push(reported(withHealth(name, codes[n] ?? 'Unknown'), n + 1));
          }
          for (const batch of batches) await runtime.report(batch);
          const newest = Math.max(...order);
          expect((await get(name)).row.health.status).toBe(codes[newest]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('of a later epoch wins over any sequence of an earlier one', async () => {
    await runtime.report([reported(withHealth('epoch', 'Healthy'), 1, 2)]);
    await runtime.report([reported(withHealth('epoch', 'Degraded'), 1_000_000, 1)]);
    expect((await get('epoch')).row.health.status).toBe('Healthy');
  });

  it('stays deleted when an older report arrives late, and can come back newer', async () => {
    const report = sampleReport('gone');
    await runtime.report([reported(report, 1)]);
    await runtime.report([deletion(report, 3)]);
    await expect(get('gone')).rejects.toMatchObject({ status: 404 });
    await runtime.report([reported(report, 2)]);
    await expect(get('gone')).rejects.toMatchObject({ status: 404 });
    await runtime.report([reported(report, 4)]);
    expect((await get('gone')).row.id.name).toBe('gone');
  });

  it('keeps changedAt when the report changes nothing that people see', async () => {
    await runtime.report([reported(sampleReport('quiet'), 1)]);
    const before = (await get('quiet')).row.changedAt;
    await runtime.report([reported(sampleReport('quiet', { labels: { team: 'a' } }), 2)]);
    expect((await get('quiet')).row.changedAt).toBe(before);
  });
});

describe('an object that cannot be read', () => {
  it('is set aside with its reason and holds up no other', async () => {
    const good = reported(sampleReport('good'), 1);
    const bad = [
      { ...good, key: 'argocd/other' },
      { ...good, key: 'argocd/bad', epoch: 0 },
      { ...good, key: 'argocd/good', sequence: 2 ** 60 },
      { kind: 'application', key: 'argocd/x' },
      { kind: 'weather' },
      null,
      reported(sampleReport('nul', { annotations: { note: 'a\u0000b' } }), 1),
    ];
    const receipt = await runtime.report([bad[0], good, ...bad.slice(1)]);
    expect(receipt.applied).toBe(1);
    expect(receipt.quarantined).toHaveLength(bad.length);
    expect(receipt.quarantined[0]).toMatchObject({ index: 0, key: 'argocd/other' });
    expect(receipt.quarantined.at(-1)).toMatchObject({ index: bad.length, key: 'argocd/nul' });
    expect(receipt.quarantined.every(({ reason }) => reason !== '')).toBe(true);
    expect((await get('good')).row.id.name).toBe('good');
  });

  it('of another runtime is not taken', async () => {
    const stamp = { uid: 'u', epoch: 1, sequence: 1, observedAt: '', hash: contentHash(null) };
    const engine = { kind: 'fairlead', version: '' };
    const report = { version: '1', engine, components: [], clusters: [] };
    const receipt = await runtime.report([{ kind: 'runtime', key: 'somebody-else', ...stamp, runtime: report }]);
    expect(receipt).toMatchObject({ applied: 0, quarantined: [{ key: 'somebody-else' }] });
  });
});

describe('contents', () => {
  const desired = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { odd: 'a\u0000b' } };
  const resource = (hash: string): ResourceReport => ({
    group: '',
    version: 'v1',
    kind: 'ConfigMap',
    namespace: 'x',
    name: 'c',
    desired: hash,
  });
  const ask = (name: string) =>
    platform.api.call('getApplicationResource', {
      params: idOf(name),
      query: { kind: 'ConfigMap', namespace: 'x', resource: 'c' },
    });

  it('are asked for when they are missing, and taken with the same report again', async () => {
    const hash = contentHash(desired);
    const object = reported(sampleReport('with-contents', { resources: [resource(hash)] }), 1);
    expect((await runtime.report([object])).missingContents).toEqual([hash]);
    expect(await ask('with-contents')).toEqual({});
    expect(await runtime.report([object], { [hash]: desired })).toMatchObject({ applied: 0, missingContents: [] });
    expect(await ask('with-contents')).toEqual({ desired });
  });

  it('that do not have their hash are not taken', async () => {
    const hash = contentHash({ other: true });
    const object = reported(sampleReport('forged', { resources: [resource(hash)] }), 1);
    const receipt = await runtime.report([object], { [hash]: desired });
    expect(receipt.quarantined).toMatchObject([{ index: -1, key: hash }]);
    expect(await ask('forged')).toEqual({});
  });
});

describe('a digest', () => {
  it('is answered with what differs and with what it did not name', async () => {
    const other = await registerTestRuntime(platform, 'digesting');
    const [a, b, c] = ['a', 'b', 'c'].map((name) => reported(sampleReport(name), 1));
    await other.api.call('reportEvents', { body: { reporter: 'test', objects: [a, b, c], contents: {} } });
    const answer = await other.api.call('exchangeDigest', {
      body: {
        reporter: 'test',
        kind: 'application',
        epoch: 1,
        shard: { index: 0, count: 1 },
        objects: { 'argocd/a': a?.hash ?? '', 'argocd/b': contentHash('old'), 'argocd/d': contentHash('new') },
      },
    });
    expect(answer).toEqual({ send: ['argocd/b', 'argocd/d'], unknown: ['argocd/c'] });
  });
});

describe('a batch', () => {
  const post = async (body: Buffer, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${platform.url}/api/v1/events`, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: { authorization: `Bearer ${await runtime.token()}`, 'content-type': 'application/json', ...headers },
    });
    return { status: answer.status, body: (await answer.json()) as { code?: string } };
  };

  it('may be gzip', async () => {
    const body = JSON.stringify({ reporter: 'test', objects: [reported(sampleReport('zipped'), 1)], contents: {} });
    expect((await post(gzipSync(body), { 'content-encoding': 'gzip' })).status).toBe(200);
  });

  it('that unpacks to more than 20 MiB is refused before it is held', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(await post(bomb, { 'content-encoding': 'gzip' })).toMatchObject({
      status: 413,
      body: { code: 'too_large' },
    });
  });

  it('with more than 1,000 objects is refused', async () => {
    await expect(runtime.report(Array.from({ length: 1_001 }, () => null))).rejects.toMatchObject({ status: 400 });
  });
});

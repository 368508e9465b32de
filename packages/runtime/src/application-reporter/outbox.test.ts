import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentHash, createRegistry, silentLogger, systemClock } from '@fairlead/base';
import {
  ApiError,
  type ApplicationReport,
  type ReportBatch,
  type ReportedObject,
  type ReportReceipt,
} from '@fairlead/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { ReporterMetrics } from './metrics.ts';
import { Outbox } from './outbox.ts';
import { Spool } from './spool.ts';

const controllers: AbortController[] = [];
afterEach(() => {
  for (const controller of controllers.splice(0)) controller.abort();
});

const taken: ReportReceipt = { applied: 1, ignored: 0, missingContents: [], quarantined: [] };

function start(answer: (batch: ReportBatch, attempt: number) => Partial<ReportReceipt> | Error, spool?: Spool) {
  const batches: ReportBatch[] = [];
  let recovered = 0;
  const outbox = new Outbox({
    reporter: 'test',
    spool,
    metrics: new ReporterMetrics(createRegistry('test')),
    log: silentLogger,
    clock: systemClock,
    onRecovered: () => recovered++,
    send: (batch) => {
      batches.push(batch);
      const answered = answer(batch, batches.length);
      return answered instanceof Error ? Promise.reject(answered) : Promise.resolve({ ...taken, ...answered });
    },
  });
  const controller = new AbortController();
  controllers.push(controller);
  void outbox.run({ signal: controller.signal });
  return { outbox, batches, recovered: () => recovered, kill: () => controller.abort() };
}

let sequence = 0;
function stateOf(name: string, over: Partial<ApplicationReport> = {}): ReportedObject {
  const application = {
    name,
    namespace: 'argocd',
    uid: name,
    labels: {},
    annotations: {},
    spec: { project: 'default', destination: {} },
    sync: { status: 'Synced' },
    health: { status: 'Healthy' },
    history: [],
    conditions: [],
    images: [],
    resources: [],
    tree: [],
    ...over,
  } as ApplicationReport;
  const hash = contentHash(application);
  return {
    kind: 'application',
    key: `argocd/${name}`,
    uid: name,
    epoch: 1,
    sequence: ++sequence,
    observedAt: '',
    hash,
    application,
  };
}
const operation = (startedAt: string, finishedAt?: string) => ({
  phase: finishedAt ? ('Succeeded' as const) : ('Running' as const),
  startedAt,
  ...(finishedAt ? { finishedAt } : {}),
  results: [],
});
const none = new Map<string, unknown>();
const keysOf = (batches: ReportBatch[]) =>
  batches.map(({ objects }) => (objects as ReportedObject[]).map(({ key }) => key));

async function drained(outbox: Outbox): Promise<void> {
  await expect.poll(() => outbox.size, { timeout: 30_000, interval: 5 }).toBe(0);
}

describe('the outbox', () => {
  it('sends the newest state of each object, in few batches', async () => {
    const { outbox, batches } = start(() => ({}));
    const newest = stateOf('a');
    for (const object of [stateOf('a'), stateOf('a'), stateOf('b'), newest]) outbox.add({ object, contents: none });
    await drained(outbox);
    expect(keysOf(batches)).toEqual([['argocd/a', 'argocd/b']]);
    expect(batches[0]?.objects[0]).toBe(newest);
  });

  it('never replaces the result of an operation or a deletion by what came after', async () => {
    const { outbox, batches } = start(() => ({}));
    const finished = stateOf('a', { operation: operation('1', '2') });
    const finishedAgain = stateOf('a', { operation: operation('1', '2'), labels: { seen: 'later' } });
    const next = stateOf('a', { operation: operation('3') });
    const { application: _, ...stamp } = stateOf('b') as Extract<ReportedObject, { application: unknown }>;
    const deleted: ReportedObject = { ...stamp, deleted: true };
    const reborn = stateOf('b');
    for (const object of [finished, finishedAgain, next, deleted, reborn]) outbox.add({ object, contents: none });
    await drained(outbox);
    const sent = batches.flatMap(({ objects }) => objects);
    expect(sent.filter((object) => [finishedAgain, next].includes(object as ReportedObject))).toEqual([
      finishedAgain,
      next,
    ]);
    expect(sent.filter((object) => [deleted, reborn].includes(object as ReportedObject))).toEqual([deleted, reborn]);
    expect(sent).not.toContain(finished);
  });

  it('sends again what was not acknowledged, and says afterwards that there was a gap', async () => {
    const { outbox, batches, recovered } = start((_, attempt) => (attempt < 3 ? new Error('away') : {}));
    outbox.add({ object: stateOf('a'), contents: none });
    await drained(outbox);
    expect(batches).toHaveLength(3);
    expect(recovered()).toBe(1);
  });

  it('sends contents once, and again when the platform lacks them', async () => {
    const contents = new Map([['h1', { body: 1 }]]);
    const { outbox, batches } = start((batch, attempt) =>
      attempt === 2 && !('h1' in batch.contents) ? { missingContents: ['h1'] } : {},
    );
    outbox.add({ object: stateOf('a'), contents });
    await drained(outbox);
    outbox.add({ object: stateOf('a'), contents });
    await drained(outbox);
    expect(batches.map((batch) => Object.keys(batch.contents))).toEqual([['h1'], [], ['h1']]);
  });

  it('gives up only the object that the platform refuses for good', async () => {
    const refusal = new ApiError(413, { code: 'too_large', message: 'too large', requestId: '' });
    const isBad = (batch: ReportBatch) => (batch.objects as ReportedObject[]).some(({ key }) => key === 'argocd/bad');
    const { outbox, batches } = start((batch) => (isBad(batch) ? refusal : {}));
    for (const name of ['a', 'b', 'bad', 'c', 'd']) outbox.add({ object: stateOf(name), contents: none });
    await drained(outbox);
    const accepted = batches.filter((batch) => !isBad(batch)).flatMap((batch) => keysOf([batch])[0]);
    expect(accepted.sort()).toEqual(['argocd/a', 'argocd/b', 'argocd/c', 'argocd/d']);
  });

  it('keeps batches below 100 objects and about a mebibyte', async () => {
    const { outbox, batches } = start(() => ({}));
    for (let n = 0; n < 250; n++) outbox.add({ object: stateOf(`n${n}`), contents: none });
    for (let n = 0; n < 4; n++)
      outbox.add({ object: stateOf(`big${n}`, { labels: { x: 'x'.repeat(600_000) } }), contents: none });
    await drained(outbox);
    expect(Math.max(...batches.map(({ objects }) => objects.length))).toBeLessThanOrEqual(100);
    expect(Math.max(...batches.map(({ objects }) => JSON.stringify(objects).length))).toBeLessThan(1.3 * 1024 * 1024);
    expect(batches.flatMap(({ objects }) => objects)).toHaveLength(254);
  });

  it('loses no result of an operation while the platform is away, not even when it is killed meanwhile', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'fairlead-outbox-'));
    const open = () => Spool.open({ dir, maxBytes: 10 * 1024 * 1024, log: silentLogger });
    try {
      const first = start(() => new Error('away'), open());
      const results = Array.from({ length: 100 }, (_, n) => stateOf('a', { operation: operation(`${n}`, `${n}`) }));
      for (const object of results) first.outbox.add({ object, contents: none });
      await expect.poll(() => first.batches.length).toBeGreaterThan(0);
      first.kill();
      const spool = open();
      const second = start(() => ({}), spool);
      const newest = stateOf('a', { operation: operation('100') });
      second.outbox.add({ object: newest, contents: none });
      await drained(second.outbox);
      expect(second.batches.flatMap(({ objects }) => objects)).toEqual([...results, newest]);
      expect(spool.sizeBytes).toBe(0);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

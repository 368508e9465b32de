import { createRegistry, silentLogger, systemClock } from '@fairlead/base';
import type { ReportedObject } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';
import { afterEach, describe, expect, it } from 'vitest';
import { EngineUnreachableError } from '../argo-cd/index.ts';
import { ReporterMetrics } from './metrics.ts';
import { Outbox } from './outbox.ts';
import { Redactor } from './redact.ts';
import { ApplicationReporter } from './reporter.ts';

const controllers: AbortController[] = [];
afterEach(() => {
  for (const controller of controllers.splice(0)) controller.abort();
});

const within = { timeout: 30_000, interval: 5 };
const [a, b, c] = ['2026-05-01T10:00:00Z', '2026-05-01T10:01:00Z', '2026-05-01T10:02:00Z'] as const;

type Listener = Parameters<ConstructorParameters<typeof ApplicationReporter>[0]['informer']['onChange']>[0];

/** The local copy of one application, and what its reporter tells of it. */
async function world() {
  let version = 0;
  let object: KubeObject | undefined;
  const listeners = new Set<Listener>();
  const put = (startedAt: string, finishedAt?: string) => {
    const old = object;
    const phase = finishedAt ? 'Succeeded' : 'Running';
    const metadata = { name: 'web', namespace: 'argocd', uid: 'web', resourceVersion: String(++version) };
    const operationState = { operation: {}, phase, startedAt, ...(finishedAt ? { finishedAt } : {}) };
    const spec = { project: 'default', destination: {}, source: { repoURL: 'https://git.example/x.git' } };
    object = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata, spec, status: { operationState } };
    for (const listener of listeners) listener(old ? { type: 'update', object, old } : { type: 'add', object });
  };
  put(a);
  const asked: { answer: () => void; fail: () => void }[] = [];
  let isHeld = false;
  const tree = () => {
    if (!isHeld) return Promise.resolve({});
    return new Promise<object>((answer, reject) => {
      const fail = () => reject(new EngineUnreachableError('the engine is away', { cause: undefined }));
      asked.push({ answer: () => answer({}), fail });
    });
  };
  const told: string[] = [];
  let digests = 0;
  const common = {
    ...{ metrics: new ReporterMetrics(createRegistry('test')), log: silentLogger, clock: systemClock },
    random: () => 0,
  };
  const outbox = new Outbox({
    ...common,
    reporter: 'test',
    onRecovered: () => undefined,
    send: ({ objects }) => {
      for (const each of objects as readonly ReportedObject[]) {
        // our own reporter's
        const operation = 'application' in each ? each.application.operation : undefined;
        if (operation) told.push(`${operation.startedAt} ${operation.phase}`);
      }
      return Promise.resolve({ applied: objects.length, ignored: 0, missingContents: [], quarantined: [] });
    },
  });
  const deps = {
    ...common,
    informer: {
      get: () => object,
      list: () => (object ? [object] : []),
      onChange: (listener: Listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      synced: () => Promise.resolve(),
    },
    engine: { resourceTree: tree, managedResources: async () => [], revisionMetadata: async () => ({}) },
    redactor: new Redactor('key'),
    outbox,
    exchangeDigest: async () => {
      digests++;
      return { send: [], unknown: [] };
    },
  };
  const reporter = new ApplicationReporter(deps, { name: 'test', epoch: 1, shard: { index: 0, count: 1 } });
  const controller = new AbortController();
  controllers.push(controller);
  const { signal } = controller;
  for (const run of [outbox.run({ signal }), reporter.run({ signal })]) run.catch(() => undefined); // ends by the abort
  await expect.poll(() => digests, within).toBeGreaterThan(0);
  /** The engine answers when it is told to: `first` is its oldest question, which the others waited behind. */
  const hold = () => {
    isHeld = true;
  };
  const first = async () => {
    await expect.poll(() => asked.length, within).toBeGreaterThan(0);
    return asked.shift() ?? { answer: () => undefined, fail: () => undefined };
  };
  const release = () => {
    isHeld = false;
    for (const each of asked.splice(0)) each.answer();
  };
  return { put, told, hold, first, release };
}

describe('an operation that the next one has replaced', () => {
  it('is told though the engine failed while it was looked at', async () => {
    const { put, told, hold, first, release } = await world();
    hold();
    put(a, a);
    const look = await first();
    put(b);
    look.fail();
    release();
    await expect.poll(() => told, within).toContain(`${a} Succeeded`);
    await expect.poll(() => told.at(-1), within).toBe(`${b} Running`);
  });

  it('is told though the engine failed when it was its turn, and once only', async () => {
    const { put, told, hold, first, release } = await world();
    hold();
    put(a, a);
    const look = await first();
    put(b, b);
    put(c);
    look.answer();
    (await first()).fail();
    release();
    await expect.poll(() => told.at(-1), within).toBe(`${c} Running`);
    const results = told.filter((each) => each.endsWith('Succeeded'));
    expect(results).toEqual([`${a} Succeeded`, `${b} Succeeded`]);
  });
});

import { contentHash, createRegistry, silentLogger, systemClock } from '@fairlead/base';
import type { ClusterReport, ReportDigest, ReportedObject } from '@fairlead/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { clustersOf, gitSourcesOf } from './entities.ts';
import { EntityReporter } from './entity-reporter.ts';
import { ReporterMetrics } from './metrics.ts';
import { Outbox } from './outbox.ts';
import { Redactor } from './redact.ts';

const controllers: AbortController[] = [];
afterEach(() => {
  for (const controller of controllers.splice(0)) controller.abort();
});

const cluster = (name: string, over: Partial<ClusterReport> = {}): ClusterReport => ({
  name,
  server: `https://${name}`,
  labels: {},
  annotations: {},
  status: 'Successful',
  applications: 0,
  ...over,
});

/** A platform that holds what it is sent, and a cluster list that tests change. */
function start(known: Record<string, string> = {}) {
  const sent: ReportedObject[] = [];
  const digests: ReportDigest[] = [];
  let found: ClusterReport[] = [];
  let failure: Error | undefined;
  let slowly: Promise<void> | undefined;
  const outbox = new Outbox({
    reporter: 'test',
    metrics: new ReporterMetrics(createRegistry('test')),
    log: silentLogger,
    clock: systemClock,
    onRecovered: () => undefined,
    send: (batch) => {
      sent.push(...(batch.objects as ReportedObject[])); // made by the reporter under test
      return Promise.resolve({ applied: batch.objects.length, ignored: 0, missingContents: [], quarantined: [] });
    },
  });
  const exchangeDigest = (digest: ReportDigest) => {
    digests.push(digest);
    return Promise.resolve({
      send: Object.keys(digest.objects).filter((key) => known[key] !== digest.objects[key]),
      unknown: Object.keys(known).filter((key) => !(key in digest.objects)),
    });
  };
  const reporter = new EntityReporter<ClusterReport>(
    { outbox, exchangeDigest, log: silentLogger, clock: systemClock },
    {
      reporter: 'test',
      epoch: 3,
      kind: 'cluster',
      everyMs: () => 60_000,
      look: async () => {
        const seen = found;
        await slowly;
        if (failure) return Promise.reject(failure);
        return Promise.resolve(new Map(seen.map((each) => [each.server, { uid: each.server, payload: each }])));
      },
      report: (payload, stamp) =>
        payload ? { kind: 'cluster', cluster: payload, ...stamp } : { kind: 'cluster', deleted: true, ...stamp },
    },
  );
  const controller = new AbortController();
  controllers.push(controller);
  const { signal } = controller;
  const become = (...next: ClusterReport[]) => {
    found = next;
    failure = undefined;
    reporter.wake();
  };
  const fail = () => {
    failure = new Error('no answer');
    reporter.wake();
  };
  /** Looks begin, and end only when what this gives back is called. */
  const hold = () => {
    let release: () => void = () => undefined;
    slowly = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  };
  return {
    hold,
    sent,
    digests,
    become,
    fail,
    reporter,
    run: () => {
      void outbox.run({ signal });
      void reporter.run({ signal });
    },
  };
}

const until = (check: () => unknown) => expect.poll(check, { timeout: 30_000, interval: 5 });

describe('an entity reporter', () => {
  it('compares first, and sends only what the platform lacks or has otherwise', async () => {
    const same = cluster('same');
    const { sent, become, run } = start({ 'https://same': contentHash(same), 'https://gone': contentHash(1) });
    become(same, cluster('new'));
    run();
    await until(() => sent.length).toBe(2);
    expect(sent.map(({ key }) => key).sort()).toEqual(['https://gone', 'https://new']);
    expect(sent.find(({ key }) => key === 'https://gone')).toHaveProperty('deleted', true);
  });

  it('sends what changed and what went, once, in growing numbers', async () => {
    const { sent, become, run } = start();
    become(cluster('a'), cluster('b'));
    run();
    await until(() => sent.length).toBe(2);
    become(cluster('a', { status: 'Failed', message: 'no answer' }));
    await until(() => sent.length).toBe(4);
    expect(sent[2]).toMatchObject({ key: 'https://a', epoch: 3, cluster: { status: 'Failed' } });
    expect(sent[3]).toMatchObject({ key: 'https://b', deleted: true });
    expect(sent.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  });

  it('looks again when something changed while it looked', async () => {
    const { sent, become, hold, run } = start();
    const release = hold();
    become(cluster('a'));
    run();
    become(cluster('a'), cluster('b'));
    release();
    await until(() => sent.length).toBe(2);
  });

  it('lets the last report stand while it cannot look', async () => {
    const { sent, become, fail, run, digests, reporter } = start();
    become(cluster('a'));
    run();
    await until(() => sent.length).toBe(1);
    fail();
    reporter.oweDigest();
    become(cluster('a', { applications: 1 }));
    await until(() => sent.length).toBe(2);
    expect(sent.every((object) => !('deleted' in object))).toBe(true);
    expect(digests).toHaveLength(2);
  });
});

describe('what is said', () => {
  it('of a cluster never holds what kubectl applied', () => {
    const applied = { 'kubectl.kubernetes.io/last-applied-configuration': '{"token":"x"}', owner: 'me' };
    const state = { status: 'Failed', message: 'refused' };
    const [found] = clustersOf([
      { name: 'a', server: 'https://a', annotations: applied, connectionState: state },
    ]).values();
    expect(found?.payload).toMatchObject({ annotations: { owner: 'me' }, status: 'Failed', message: 'refused' });
  });

  it('of a Git Source gives the reason why it is not well', () => {
    const source = { repoURL: 'https://me:pw@h/a/b.git', path: '.', targetRevision: 'main' };
    const application = {
      apiVersion: 'argoproj.io/v1alpha1' as const,
      kind: 'Application' as const,
      metadata: { name: 'demo', namespace: 'argocd', labels: { 'fairlead.io/entity': 'git-source' } },
      spec: { project: 'default', source, destination: {} },
      status: { conditions: [{ type: 'ComparisonError', message: 'repository not found' }] },
    };
    const other = { ...application, metadata: { name: 'plain', namespace: 'argocd' } };
    const found = gitSourcesOf([application, other], new Redactor('key'));
    expect([...found.keys()]).toEqual(['argocd/demo']);
    const payload = found.get('argocd/demo')?.payload;
    expect(payload).toMatchObject({ path: '', sync: 'Unknown', message: 'repository not found' });
    expect(payload?.repoUrl).not.toContain('pw@');
  });
});

import { type Application, ApplicationReport, checker, type ManagedResource } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { buildReport } from './build-report.ts';
import { Redactor } from './redact.ts';

const redactor = new Redactor('key');
const application: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'guestbook', namespace: 'argocd', uid: 'u1', resourceVersion: '5', annotations: { team: 'a' } },
  spec: {
    project: 'default',
    source: { repoURL: 'https://git.example/x.git', path: 'app' },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'guestbook' },
  },
  status: {
    sync: { status: 'OutOfSync', revision: 'abc' },
    health: { status: 'Progressing' },
    reconciledAt: '2026-01-01T00:00:00Z',
    resources: [
      { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'guestbook', name: 'web', status: 'OutOfSync' },
      { version: 'v1', kind: 'Service', namespace: 'guestbook', name: 'web', status: 'Synced' },
    ],
    operationState: {
      operation: { sync: { revision: 'abc' }, initiatedBy: { automated: true } },
      phase: 'Succeeded',
      startedAt: '2026-01-01T00:00:00Z',
      finishedAt: '2026-01-01T00:00:05Z',
      syncResult: { revision: 'abc', resources: [] },
    },
    summary: { images: ['b', 'a'] },
  },
};
const state = (replicas: number) => JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas } });
const managed: ManagedResource[] = [
  {
    group: 'apps',
    kind: 'Deployment',
    namespace: 'guestbook',
    name: 'web',
    targetState: state(2),
    liveState: state(1),
    predictedLiveState: state(2),
    normalizedLiveState: state(1),
  },
  { kind: 'Service', namespace: 'guestbook', name: 'web', targetState: '{"kind":"Service"}', liveState: 'null' },
];
const tree = {
  nodes: [
    {
      uid: 'p1',
      kind: 'Pod',
      version: 'v1',
      namespace: 'guestbook',
      name: 'web-1',
      parentRefs: [{ kind: 'Deployment', name: 'web', uid: 'd1' }],
    },
    {
      uid: 'd1',
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
      namespace: 'guestbook',
      name: 'web',
      health: { status: 'Progressing' as const, message: 'Waiting for rollout to finish' },
    },
    {
      kind: 'Service',
      version: 'v1',
      namespace: 'guestbook',
      name: 'web',
      parentRefs: [{ kind: 'X', name: 'gone', uid: 'x' }],
    },
  ],
};
const build = (over: Partial<Parameters<typeof buildReport>[0]> = {}) =>
  buildReport({ application, tree, managed, commit: undefined, ...over }, redactor);

describe('buildReport', () => {
  it('says why an application is not green', () => {
    const { report } = buildReport({ application, tree, managed, commit: undefined }, redactor);
    expect(report.explanation?.headline).toBe('Deployment web is on its way.');
  });

  it('takes the health of a resource from the tree when the Application does not carry it', () => {
    const { report } = buildReport({ application, tree, managed, commit: undefined }, redactor);
    const deployment = report.resources.find(({ kind }) => kind === 'Deployment');
    expect(deployment?.health).toEqual({ status: 'Progressing', message: 'Waiting for rollout to finish' });
  });

  it('gives a report of the contract', () => {
    const checked = checker(ApplicationReport)(build().report);
    expect(checked.ok ? [] : checked.problems).toEqual([]);
  });

  it('carries manifests by hash, and both sides of a diff only where they differ', () => {
    const { report, contents } = build();
    const [service, deployment] = report.resources;
    expect(service).toMatchObject({ kind: 'Service', sync: 'Synced' });
    expect(service).not.toHaveProperty('live');
    expect(service).not.toHaveProperty('diff');
    expect(contents.get(deployment?.desired ?? '')).toMatchObject({ spec: { replicas: 2 } });
    expect(contents.get(deployment?.live ?? '')).toMatchObject({ spec: { replicas: 1 } });
    expect(deployment?.diff).toEqual({ predicted: deployment?.desired, normalized: deployment?.live });
  });

  it('builds the tree with parents that are in it, also for resources without a uid', () => {
    const { tree: nodes } = build().report;
    expect(nodes.find(({ kind }) => kind === 'Pod')?.parents).toEqual(['d1']);
    expect(nodes.find(({ kind }) => kind === 'Service')).toMatchObject({ uid: '/Service/guestbook/web', parents: [] });
  });

  it('has the same hash when only order, versions or the time of comparison changed', () => {
    const { status } = application;
    const again: Application = {
      ...application,
      metadata: { ...application.metadata, resourceVersion: '6' },
      status: {
        ...status,
        reconciledAt: '2026-01-02T00:00:00Z',
        resources: (status?.resources ?? []).toReversed(),
        summary: { images: ['a', 'b'] },
      },
    };
    const reversed = { nodes: tree.nodes.toReversed() };
    expect(build({ application: again, tree: reversed, managed: managed.toReversed() }).hash).toBe(build().hash);
  });

  it('has another hash when anything that is shown changed', () => {
    const failed: Application = { ...application, status: { ...application.status, health: { status: 'Degraded' } } };
    expect(build({ application: failed }).hash).not.toBe(build().hash);
    expect(build({ managed: [] }).hash).not.toBe(build().hash);
    expect(build({ tree: {} }).hash).not.toBe(build().hash);
  });
});

it('tells of the operations that the engine remembers, but for the one that the status tells of', () => {
  const entry = (second: number) => ({
    phase: 'Failed',
    startedAt: `2026-01-01T00:00:0${second}Z`,
    finishedAt: '2026-01-01T00:00:05Z',
  });
  const annotations = { team: 'a', 'fairlead.io/operations': JSON.stringify([entry(3), entry(0)]) };
  const remembered = { ...application, metadata: { ...application.metadata, annotations } };
  const { report } = build({ application: remembered });
  expect(report.operations).toEqual([{ ...entry(3), results: [] }]);
  expect(report.annotations).toEqual({ team: 'a' });
});

import type { Application, OperationState } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';
import { describe, expect, it } from 'vitest';
import type { Cluster } from '../clusters/index.ts';
import { defaultProject } from '../project/index.ts';
import { checkSpec } from './app-spec.ts';
import { decideAutoSync } from './auto-sync.ts';
import type { ComparedResource, Comparison } from './comparison.ts';
import { retryPolicyOf } from './retry-policy.ts';
import { isSameStatus, statusOf, withHistory } from './status.ts';
import { prepareTargets } from './targets.ts';

const source = { repoURL: 'https://h/r', path: 'app' };
const application = (fields: object = {}, spec: object = {}): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'app', namespace: 'argocd' },
  spec: {
    project: 'default',
    source,
    destination: { server: 'https://kubernetes.default.svc', namespace: 'n' },
    syncPolicy: { automated: { prune: true, selfHeal: true } },
    ...spec,
  },
  ...fields,
});
const project = defaultProject('argocd');
const own = { entry: { server: 'https://kubernetes.default.svc', name: 'in-cluster' } } as Cluster;
const context = (given: KubeObject | undefined): Parameters<typeof checkSpec>[1] => ({
  projectOf: () => given,
  clusters: {
    find: ({ server, name } = {}) =>
      server === own.entry.server || name === own.entry.name
        ? { ok: true, cluster: own }
        : { ok: false, field: server ? 'server' : 'name', problem: `cluster ${server ?? name} is not known` },
  },
});

describe('checkSpec', () => {
  it('takes a good one', () => {
    expect(checkSpec(application(), context(project))).toMatchObject({ ok: true });
  });

  it.each<[object, string]>([
    [{ source: undefined }, 'spec.source: is required'],
    [{ source: { repoURL: 'https://h/r' } }, 'spec.source.path: is required'],
    [{ sources: [{ repoURL: 'https://h/r' }] }, 'spec.sources[0].path: is required'],
    [
      {
        sources: [
          { ...source, ref: 'a' },
          { ...source, ref: 'a' },
        ],
      },
      'ref "a" is used twice',
    ],
    [{ destination: {} }, 'e.g. https://kubernetes.default.svc'],
    [{ destination: { server: 'x', name: 'y' } }, 'either server or name'],
    [{ destination: { name: 'other' } }, 'spec.destination.name: cluster other is not known'],
    [{ destination: { server: 7 } }, 'spec.destination.server'],
    [{ sourceHydrator: {} }, 'spec.sourceHydrator'],
    [{ ignoreDifferences: [{ kind: 'X', jsonPointers: '/a' }] }, 'spec.ignoreDifferences.0.jsonPointers'],
    [{ ignoreDifferences: [{ jsonPointers: ['/a'] }] }, 'spec.ignoreDifferences.0'],
    [{ syncPolicy: { managedNamespaceMetadata: { labels: { a: 1 } } } }, 'managedNamespaceMetadata.labels'],
  ])('names the field: %j', (spec, message) => {
    const check = checkSpec(application({}, spec), context(project));
    expect(check.ok ? [] : check.problems.map((problem) => problem.message)).toEqual([
      expect.stringContaining(message),
    ]);
  });

  it('holds the application to its project', () => {
    const narrow = { ...project, spec: { sourceRepos: ['https://other/*'], destinations: [] } };
    const check = checkSpec(application(), context(narrow));
    expect(check.ok ? [] : check.problems).toHaveLength(2);
    expect(checkSpec(application(), context(undefined))).toMatchObject({ ok: false });
    const windowed = { ...project, spec: { ...(project['spec'] as object), syncWindows: [{ kind: 'sometimes' }] } };
    const refused = checkSpec(application(), context(windowed));
    expect(refused.ok ? [] : refused.problems[0]?.message).toContain("project 'default': syncWindows[0].kind");
  });
});

const revision = 'a'.repeat(40);
const loaded = {
  revisions: [revision],
  parts: [{ sourceType: 'Directory' }],
  isMulti: false,
} as unknown as Comparison['loaded'];
const resource = (fields: Partial<ComparedResource> = {}): ComparedResource => ({
  ref: { group: '', version: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'm' },
  namespaced: true,
  status: 'OutOfSync',
  isOutOfSync: true,
  requiresPruning: false,
  ...fields,
});
const comparison = (fields: Partial<Comparison> = {}): Comparison => ({
  loaded,
  resources: [resource()],
  hooks: [],
  sync: 'OutOfSync',
  health: { status: 'Healthy' },
  images: [],
  externalUrls: [],
  orphans: [],
  conditions: [],
  ...fields,
});
const nowMs = Date.parse('2026-01-01T00:10:00Z');
const ended = (fields: Partial<OperationState>): object => ({
  status: {
    operationState: {
      operation: {},
      phase: 'Succeeded',
      startedAt: '2026-01-01T00:09:58Z',
      finishedAt: '2026-01-01T00:09:59Z',
      syncResult: { revision, source },
      ...fields,
    },
  },
});
const decide = (app: Application, compared: Comparison = comparison()) =>
  decideAutoSync({ application: app, comparison: compared, nowMs });

describe('decideAutoSync', () => {
  it('syncs a new revision, pruning as the policy says', () => {
    expect(decide(application())).toMatchObject({
      decision: 'sync',
      operation: { sync: { revision, prune: true }, initiatedBy: { automated: true } },
    });
  });

  it.each<[string, Application, Comparison?]>([
    ['not automated', application({}, { syncPolicy: {} })],
    ['switched off', application({}, { syncPolicy: { automated: { enabled: false } } })],
    ['in sync', application(), comparison({ sync: 'Synced' })],
    ['no source', application(), comparison({ loaded: undefined, sync: 'Unknown' })],
    [
      'only pruning is left, and pruning is off',
      application({}, { syncPolicy: { automated: {} } }),
      comparison({ resources: [resource({ requiresPruning: true })] }),
    ],
    ['synced before, and no self-healing', application(ended({}), { syncPolicy: { automated: {} } })],
    [
      'what is left is already going',
      application(),
      comparison({
        resources: [
          resource({ requiresPruning: true, live: { metadata: { deletionTimestamp: 'x' } } as unknown as KubeObject }),
        ],
      }),
    ],
  ])('does nothing: %s', (_name, app, compared) => {
    expect(decide(app, compared)).toEqual({ decision: 'none' });
  });

  it('refuses to wipe out everything, unless that is allowed', () => {
    const all = comparison({ resources: [resource({ requiresPruning: true })] });
    expect(decide(application(), all)).toMatchObject({
      decision: 'refuse',
      message: expect.stringContaining('wipe out all resources'),
    });
    const allowed = application({}, { syncPolicy: { automated: { prune: true, allowEmpty: true } } });
    expect(decide(allowed, all)).toMatchObject({ decision: 'sync' });
  });

  it('does not try a commit again that failed', () => {
    expect(decide(application(ended({ phase: 'Failed', message: 'no' })))).toMatchObject({
      decision: 'refuse',
      message: `Failed last sync attempt to ${revision}: no`,
    });
    expect(
      decide(application(ended({ phase: 'Failed', syncResult: { revision: 'b'.repeat(40), source } }))),
    ).toMatchObject({ decision: 'sync' });
  });

  it('heals only what differs, waiting longer each time, and starts anew after a quiet time', () => {
    expect(decide(application(ended({})))).toMatchObject({
      decision: 'sync',
      operation: { sync: { autoHealAttemptsCount: 1, resources: [{ kind: 'ConfigMap', name: 'm' }] } },
    });
    const healed = (attempts: number, finishedAt = '2026-01-01T00:10:00Z') =>
      application(ended({ finishedAt, operation: { sync: { autoHealAttemptsCount: attempts } } }));
    expect([1, 2, 3, 9].map((attempts) => decide(healed(attempts)))).toEqual(
      [2000, 6000, 18_000, 300_000].map((afterMs) => ({ decision: 'later', afterMs })),
    );
    expect(decide(healed(9, '2026-01-01T00:00:00Z'))).toMatchObject({
      operation: { sync: { autoHealAttemptsCount: 1 } },
    });
  });
});

describe('the status', () => {
  const now = '2026-01-01T00:00:00Z';
  const status = (app: Application, compared: Comparison, at = now) =>
    statusOf({ application: app, comparison: compared, conditions: compared.conditions, namespace: 'argocd', now: at });

  it('keeps times as long as nothing changes, and drops conditions that are over', () => {
    const failing = comparison({ conditions: [{ type: 'ComparisonError', message: 'x' }] });
    const first = status(application(), failing);
    expect(first.conditions).toEqual([{ type: 'ComparisonError', message: 'x', lastTransitionTime: now }]);
    const later = status(application({ status: first }), failing, '2026-01-02T00:00:00Z');
    expect(isSameStatus(first, later)).toBe(true);
    expect(later.conditions?.[0]?.lastTransitionTime).toBe(now);
    expect(status(application({ status: later }), comparison())).not.toHaveProperty('conditions');
  });

  it('keeps the last known revision while the source cannot be read', () => {
    const good = status(application(), comparison());
    const bad = status(application({ status: good }), comparison({ loaded: undefined, sync: 'Unknown' }));
    expect(bad.sync).toMatchObject({ status: 'Unknown', revision });
  });

  it('keeps ten entries of history, with ids that go on', () => {
    let app = application({ status: { history: [] } });
    for (let i = 0; i < 12; i++) app = { ...app, status: { history: withHistory(app, { revision, deployedAt: now }) } };
    expect(app.status?.history?.map(({ id }) => id)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
});

describe('prepareTargets', () => {
  const prepare = (manifests: object[]) =>
    prepareTargets({
      manifests: manifests as never,
      application: 'app',
      namespace: 'n',
      isNamespaced: ({ kind }) => (kind === 'ConfigMap' ? true : kind === 'Namespace' ? false : undefined),
    });

  it('fills in namespaces and the tracking id, but not for what has none', () => {
    const { targets } = prepare([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'x', namespace: 'wrong' } },
      {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'c' },
        spec: { group: 'g', scope: 'Cluster', names: { kind: 'C' } },
      },
      { apiVersion: 'g/v1', kind: 'C', metadata: { name: 'c' } },
    ]);
    const tracking = (key: string) => targets.get(key)?.object.metadata.annotations?.['argocd.argoproj.io/tracking-id'];
    expect(targets.get('/ConfigMap/n/a')?.object.metadata.namespace).toBe('n');
    expect(tracking('/ConfigMap/n/a')).toBe('app:/ConfigMap:n/a');
    expect(targets.get('/Namespace//x')?.object.metadata.namespace).toBeUndefined();
    expect(targets.get('g/C//c')?.namespaced).toBe(false);
    expect(tracking('apiextensions.k8s.io/CustomResourceDefinition/n/c')).toBeUndefined();
  });

  it('tells of objects that appear more than once; the last one counts', () => {
    const { targets, repeated } = prepare(
      ['1', '2'].map((value) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { value } })),
    );
    expect(repeated).toEqual(['Resource /ConfigMap/n/a appeared 2 times among application resources.']);
    expect(targets.get('/ConfigMap/n/a')?.object['data']).toEqual({ value: '2' });
  });
});

it('reads retry policies as the CRD writes them', () => {
  const policy = retryPolicyOf({
    retry: { limit: 3, backoff: { duration: '1m30s', factor: 3, maxDuration: '5m' } },
  } as object);
  expect([policy.limit, policy.delayMs(0), policy.delayMs(1), policy.delayMs(5)]).toEqual([
    3, 90_000, 270_000, 300_000,
  ]);
  expect(retryPolicyOf({}).limit).toBe(0);
});

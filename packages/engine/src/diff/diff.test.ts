import { type KubeObject, valueAt } from '@fairlead/kube';
import { describe, expect, it } from 'vitest';
import { diffObject, maskSecrets, withLiveValues, withoutPointers } from './index.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const serverMeta = { uid: 'u', resourceVersion: '7', generation: 3, creationTimestamp: '2026-01-01T00:00:00Z' };
const verdict = (target: object, live: object, applied?: object) => {
  const typed = live as KubeObject;
  const annotations = { ...typed.metadata.annotations, ...(applied && { [lastApplied]: JSON.stringify(applied) }) };
  const full = { ...typed, metadata: { ...serverMeta, ...typed.metadata, annotations } };
  return diffObject(target as KubeObject, full as KubeObject).verdict;
};

const deployment = (spec: object, container: object = {}, metadata: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'n', ...metadata },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'web:1', ...container }] },
    },
    ...spec,
  },
});
const liveDeployment = (spec: object = {}, container: object = {}) => ({
  ...deployment(
    {
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: { type: 'RollingUpdate' },
      ...spec,
    },
    { imagePullPolicy: 'IfNotPresent', resources: {}, terminationMessagePath: '/dev/termination-log', ...container },
    { annotations: { 'deployment.kubernetes.io/revision': '1' } },
  ),
  status: { replicas: 1 },
});

describe('no false difference', () => {
  const port = { containerPort: 80 };
  it.each<[string, object, object, object?]>([
    ['server defaults', deployment({}), liveDeployment()],
    [
      'zero values that typed storage drops',
      deployment({ paused: false }, { env: [], stdin: false }),
      liveDeployment(),
    ],
    [
      'nulls and a status in the source',
      { ...deployment({}, {}, { creationTimestamp: null }), status: {} },
      liveDeployment(),
    ],
    [
      'quantities in another form',
      deployment({}, { resources: { limits: { cpu: '1000m', memory: '1024Mi' } } }),
      liveDeployment({}, { resources: { limits: { cpu: '1', memory: '1Gi' } } }),
    ],
    [
      'ports with a default protocol',
      deployment({}, { ports: [port] }),
      liveDeployment({}, { ports: [{ ...port, protocol: 'TCP' }] }),
    ],
    [
      'an empty environment variable',
      deployment({}, { env: [{ name: 'A', value: '' }] }),
      liveDeployment({}, { env: [{ name: 'A' }] }),
    ],
    ['replicas that somebody else steers', deployment({}), liveDeployment({ replicas: 5 }), deployment({})],
    [
      'a service as the server completes it',
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 's' },
        spec: { ports: [{ port: 80 }], selector: { a: 'b' } },
      },
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 's', namespace: 'n' },
        spec: {
          clusterIP: '10.0.0.1',
          type: 'ClusterIP',
          ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
          selector: { a: 'b' },
        },
      },
    ],
    [
      'stringData that is stored as data',
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { a: 'x' } },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, type: 'Opaque', data: { a: 'eA==' } },
    ],
    [
      'a namespace with its finalizer and label',
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } },
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'n', labels: { 'kubernetes.io/metadata.name': 'n' } },
        spec: { finalizers: ['kubernetes'] },
      },
    ],
    [
      'a custom resource with defaults',
      { apiVersion: 'x.io/v1', kind: 'Thing', metadata: { name: 't' }, spec: { size: 1 } },
      {
        apiVersion: 'x.io/v1',
        kind: 'Thing',
        metadata: { name: 't' },
        spec: { size: 1, colour: 'red' },
        status: { ok: true },
      },
    ],
  ])('%s', (_name, target, live, applied) => {
    expect(verdict(target, live, applied)).toBe('same');
    expect(verdict(target, live, target)).toBe('same');
  });
});

describe('true differences', () => {
  const map = (data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data });
  it.each<[string, object, object, object?]>([
    ['another image', deployment({}, { image: 'web:2' }), liveDeployment()],
    ['another number of replicas', deployment({ replicas: 2 }), liveDeployment()],
    ['zero replicas', deployment({ replicas: 0 }), liveDeployment()],
    [
      'a removed container',
      deployment({}),
      {
        ...liveDeployment(),
        spec: {
          template: {
            spec: {
              containers: [
                { name: 'web', image: 'web:1' },
                { name: 'side', image: 's' },
              ],
            },
          },
        },
      },
      { ...deployment({}), spec: { template: { spec: { containers: [{ name: 'web' }, { name: 'side' }] } } } },
    ],
    ['a removed field', deployment({}), liveDeployment({ paused: true }), deployment({ paused: true })],
    ['an empty value in a map', map({ a: '' }), map({})],
    ['a key that went', map({ a: '1' }), map({ a: '1', b: '2' }), map({ a: '1', b: '2' })],
    ['another value', map({ a: '1' }), map({ a: '2' })],
    [
      'a shorter list',
      { apiVersion: 'x.io/v1', kind: 'T', metadata: { name: 't' }, spec: { l: [1] } },
      { apiVersion: 'x.io/v1', kind: 'T', metadata: { name: 't' }, spec: { l: [1, 2] } },
    ],
    [
      'zero in a custom resource',
      { apiVersion: 'x.io/v1', kind: 'T', metadata: { name: 't' }, spec: { n: 0 } },
      { apiVersion: 'x.io/v1', kind: 'T', metadata: { name: 't' }, spec: {} },
    ],
    [
      'reordered environment',
      deployment({}, { env: [{ name: 'A' }, { name: 'B' }] }),
      liveDeployment({}, { env: [{ name: 'B' }, { name: 'A' }] }),
    ],
  ])('%s', (_name, target, live, applied) => {
    expect(verdict(target, live, applied)).toBe('different');
  });

  it('is unsure, not wrong, about more fields inside a list that is applied whole', () => {
    const policy = (port: object) => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'p' },
      spec: { ingress: [{ ports: [port] }] },
    });
    expect(verdict(policy({ port: 80 }), policy({ port: 80, protocol: 'TCP' }))).toBe('unsure');
    expect(verdict(policy({ port: 80 }), policy({ port: 81, protocol: 'TCP' }))).toBe('different');
  });

  it('predicts the object after a sync', () => {
    const live = {
      ...liveDeployment(),
      metadata: { ...liveDeployment().metadata, ...serverMeta },
    } as unknown as KubeObject;
    const { predictedLive } = diffObject(deployment({}, { image: 'web:2' }) as unknown as KubeObject, live);
    expect(predictedLive).toMatchObject({
      spec: { replicas: 1, template: { spec: { containers: [{ image: 'web:2', imagePullPolicy: 'IfNotPresent' }] } } },
    });
  });
});

it('leaves ignored fields out on both sides', () => {
  const rules = [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas', '/metadata/annotations/a~1b'] }];
  const target = deployment({ replicas: 3 }, {}, { annotations: { 'a/b': '1' } }) as unknown as KubeObject;
  expect(diffObject(target, liveDeployment() as unknown as KubeObject, rules).verdict).toBe('same');
  expect(diffObject(target, liveDeployment() as unknown as KubeObject).verdict).toBe('different');
});

// What evanphx/json-patch does with `remove`, whose errors Argo CD leaves out of account.
it.each<[string, unknown]>([
  ['/a/list/-1', { a: { list: [1, 2] } }],
  ['/a/list/0', { a: { list: [2, 3] } }],
  ['x/a/list', { a: {} }],
  ...[
    '',
    '/',
    'a',
    'a/list',
    '/a/list/',
    '/a/list/-',
    '/a/list/3',
    '/a/list/-4',
    '/a/list/one',
    '/a/list/0/x',
    '/no/a',
  ].map((pointer): [string, unknown] => [pointer, { a: { list: [1, 2, 3] } }]),
])('reads the JSON pointer %j as Argo CD does', (pointer, left) => {
  const object = { a: { list: [1, 2, 3] } } as unknown as KubeObject; // no more is looked at
  expect(withoutPointers(object, [pointer])).toEqual(left);
  expect(withLiveValues(object, object, [pointer])).toEqual(object);
});

it('masks Secrets so that only equality shows', () => {
  const secret = (a: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's', annotations: { [lastApplied]: `{"data":{"a":"${a}"}}` } },
    data: { a, same: 'c2FtZQ==' },
  });
  const [one, two] = maskSecrets([secret('b25l'), secret('dHdv')] as KubeObject[]);
  expect(JSON.stringify([one, two])).not.toMatch(/b25l|dHdv|c2FtZQ/);
  expect(one?.['data']).not.toEqual(two?.['data']);
  expect(valueAt(one, 'data', 'same')).toBe(valueAt(two, 'data', 'same'));
});

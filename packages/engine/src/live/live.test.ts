import type { KubeObject } from '@fairlead/kube';
import { describe, expect, it } from 'vitest';
import { healthOf } from '../health/index.ts';
import { ObjectIndex } from './object-index.ts';
import { podSummary } from './pod-status.ts';
import { resourceTree } from './resource-tree.ts';
import { parseTrackingId, trackedBy, trackingId } from './tracking.ts';

const make = (apiVersion: string, kind: string, metadata: object, fields: object = {}) =>
  ({ apiVersion, kind, metadata: { namespace: 'n', ...metadata }, ...fields }) as unknown as KubeObject;
const tracked = (id: string) => ({ annotations: { 'argocd.argoproj.io/tracking-id': id } });

describe('tracking', () => {
  const ref = { group: 'apps', kind: 'Deployment', namespace: 'n', name: 'web' };

  it('writes and reads the id', () => {
    expect(trackingId('app', ref)).toBe('app:apps/Deployment:n/web');
    expect(parseTrackingId('app:apps/Deployment:n/web')).toEqual({ application: 'app', ...ref });
    expect(parseTrackingId('app:rbac.authorization.k8s.io/Role:n/system:x')?.name).toBe('system:x');
  });

  it.each(['', 'app', 'app:apps:n/web', 'app:apps/Deployment:web', ':a/b:c/d'])('reads nothing from %j', (text) => {
    expect(parseTrackingId(text)).toBeUndefined();
  });

  it('holds only for the object it names', () => {
    const own = tracked('app:apps/Deployment:n/web');
    expect(trackedBy(make('apps/v1', 'Deployment', { name: 'web', ...own }))).toBe('app');
    expect(trackedBy(make('apps/v1', 'ReplicaSet', { name: 'web-1', ...own }))).toBeUndefined();
    expect(trackedBy(make('apps/v1', 'Deployment', { name: 'web', namespace: 'other', ...own }))).toBeUndefined();
    const cluster = make('v1', 'Namespace', { name: 'x', namespace: undefined, ...tracked('app:/Namespace:n/x') });
    expect(trackedBy(cluster)).toBe('app');
  });
});

const deployment = make('apps/v1', 'Deployment', { name: 'web', uid: 'd', ...tracked('app:apps/Deployment:n/web') });
const replicaSet = make('apps/v1', 'ReplicaSet', {
  name: 'web-1',
  uid: 'r',
  annotations: { 'deployment.kubernetes.io/revision': '3' },
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'd' }],
});
const pod = make(
  'v1',
  'Pod',
  {
    name: 'web-1-a',
    uid: 'p',
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: 'r' }],
  },
  {
    spec: { containers: [{ name: 'c', image: 'web:1' }], nodeName: 'node-1' },
    status: { phase: 'Running', containerStatuses: [{ ready: true, restartCount: 2, state: { running: {} } }] },
  },
);

describe('the index', () => {
  it('finds children and the application at the root of a chain of owners', () => {
    const index = new ObjectIndex();
    for (const object of [pod, replicaSet, deployment]) index.put(object);
    expect(index.children('d')).toEqual([replicaSet]);
    expect([...index.applicationsOf(pod)]).toEqual(['app']);
    expect(index.managedBy('app')).toEqual([deployment]);
    index.remove(deployment);
    expect(index.managedBy('app')).toEqual([]);
    expect([...index.applicationsOf(pod)]).toEqual([]);
  });

  it('does not let older news undo newer ones', () => {
    const index = new ObjectIndex();
    const at = (resourceVersion: string) => make('v1', 'ConfigMap', { name: 'm', uid: 'u', resourceVersion });
    expect(index.put(at('10'))).toBe(true);
    expect(index.put(at('9'))).toBe(false);
    expect(index.get({ group: '', kind: 'ConfigMap', namespace: 'n', name: 'm' })?.metadata.resourceVersion).toBe('10');
  });

  it('takes no news of a deleted object for news of the one made after it', () => {
    const index = new ObjectIndex();
    const at = (uid: string, resourceVersion: string) => make('batch/v1', 'Job', { name: 'j', uid, resourceVersion });
    const seen = () => index.get({ group: 'batch', kind: 'Job', namespace: 'n', name: 'j' })?.metadata;
    index.put(at('old', '5'));
    index.remove(at('old', '5')); // deleted by us
    index.put(at('new', '8'), { isAhead: true }); // made by us
    expect(index.put(at('old', '6')), 'the watch is behind').toBe(false);
    index.remove(at('old', '7'));
    expect(seen()).toMatchObject({ uid: 'new' });
    expect(index.put(at('new', '8'))).toBe(true);
    expect(index.put(at('restored', '2')), 'a cluster that was set back').toBe(true);
    expect(index.put(at('new', '1'), { isAhead: true }), 'an answer that comes late').toBe(false);
    expect(seen()).toMatchObject({ uid: 'restored' });
  });

  it('does not bring back an object whose end the watch told before the answer to its deletion came', () => {
    const index = new ObjectIndex();
    const at = (resourceVersion: string) => make('v1', 'ConfigMap', { name: 'm', uid: 'u', resourceVersion });
    index.put(at('5'));
    index.remove(at('7'));
    expect(index.put(at('6'), { isAhead: true })).toBe(false);
    expect(index.size).toBe(0);
  });
});

it('shows the tree with owners, details and images', () => {
  const index = new ObjectIndex();
  for (const object of [pod, replicaSet, deployment]) index.put(object);
  const nodes = resourceTree({ children: (uid) => index.children(uid) }, [deployment], healthOf);
  expect(nodes.map(({ kind, name }) => `${kind}/${name}`)).toEqual([
    'Deployment/web',
    'ReplicaSet/web-1',
    'Pod/web-1-a',
  ]);
  expect(nodes[1]?.info).toEqual([{ name: 'Revision', value: 'Rev:3' }]);
  expect(nodes[2]).toMatchObject({
    images: ['web:1'],
    parentRefs: [{ group: 'apps', kind: 'ReplicaSet', name: 'web-1', uid: 'r' }],
    info: [
      { name: 'Status Reason', value: 'Running' },
      { name: 'Node', value: 'node-1' },
      { name: 'Containers', value: '1/1' },
      { name: 'Restart Count', value: '2' },
    ],
  });
});

it.each([
  ['Pending', { phase: 'Pending' }],
  [
    'CrashLoopBackOff',
    { phase: 'Running', containerStatuses: [{ state: { waiting: { reason: 'CrashLoopBackOff' } } }] },
  ],
  ['Completed', { phase: 'Succeeded', containerStatuses: [{ state: { terminated: { reason: 'Completed' } } }] }],
  ['ExitCode:2', { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 2 } } }] }],
  ['Init:0/1', { phase: 'Pending', initContainerStatuses: [{ state: { running: {} } }] }],
  [
    'Init:ErrImagePull',
    { phase: 'Pending', initContainerStatuses: [{ state: { waiting: { reason: 'ErrImagePull' } } }] },
  ],
])('a pod is %s', (reason, status) => {
  const object = make('v1', 'Pod', { name: 'p' }, { spec: { containers: [{}], initContainers: [{}] }, status });
  expect(podSummary(object).reason).toBe(reason);
});

import type { KubeObject } from '@fairlead/kube';
import { expect, it } from 'vitest';
import { listActions, runAction } from './actions.ts';

const nowMs = Date.parse('2026-01-02T03:04:05Z');
const object = (apiVersion: string, kind: string, spec: object = {}): KubeObject =>
  ({ apiVersion, kind, metadata: { name: 'x', namespace: 'n', uid: 'u' }, spec }) as KubeObject;
const run = (name: string, on: KubeObject, parameters: Record<string, string> = {}) =>
  runAction(name, { object: on, parameters, nowMs });

it.each([
  [object('apps/v1', 'Deployment', { paused: true }), ['restart', '-pause', 'resume', 'scale']],
  [object('apps/v1', 'StatefulSet'), ['restart', 'scale']],
  [object('apps/v1', 'DaemonSet'), ['restart']],
  [object('batch/v1', 'CronJob'), ['create-job', 'suspend', '-resume']],
  [object('v1', 'ConfigMap'), []],
])('offers what a kind allows, with what changes nothing disabled: %#', (on, names) => {
  expect(listActions(on).map(({ name, disabled }) => `${disabled ? '-' : ''}${name}`)).toEqual(names);
});

it('restarts by an annotation of the template, scales to a number, and refuses anything else', () => {
  const deployment = object('apps/v1', 'Deployment');
  expect(run('restart', deployment)).toEqual({
    effect: 'patch',
    body: {
      spec: {
        template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-01-02T03:04:05Z' } } },
      },
    },
  });
  expect(run('scale', deployment, { replicas: '3' })).toEqual({ effect: 'patch', body: { spec: { replicas: 3 } } });
  expect(run('scale', deployment, { replicas: '-1' })).toMatchObject({
    effect: 'refuse',
    reason: expect.stringContaining('replicas'),
  });
  expect(run('constructor', deployment)).toMatchObject({
    effect: 'refuse',
    reason: expect.stringContaining('allowed: restart, pause, resume, scale'),
  });
});

it('makes a Job of a CronJob now, owned by it', () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { template: {} } };
  expect(run('create-job', object('batch/v1', 'CronJob', { jobTemplate: template }))).toMatchObject({
    effect: 'create',
    object: {
      kind: 'Job',
      metadata: { name: 'x-20260102030405', labels: { a: 'b' }, ownerReferences: [{ kind: 'CronJob', uid: 'u' }] },
    },
  });
});

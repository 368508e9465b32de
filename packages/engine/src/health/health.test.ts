import type { HealthCode } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';
import { describe, expect, it } from 'vitest';
import { healthOf, worstHealth } from './index.ts';

type Case = readonly [name: string, object: object, status: HealthCode, message?: string];
const object = (apiVersion: string, kind: string, fields: object): KubeObject =>
  ({ apiVersion, kind, metadata: { name: 'x', generation: 2 }, ...fields }) as KubeObject;
const check = (apiVersion: string, kind: string, cases: readonly Case[]) =>
  it.each(cases.map(([name, fields, status, message]) => ({ name, fields, status, message })))(
    `${kind}: $name`,
    ({ fields, status, message }) => {
      const result = healthOf(object(apiVersion, kind, fields));
      expect(result?.status).toBe(status);
      if (message !== undefined) expect(result?.message).toContain(message);
    },
  );

const observed = { observedGeneration: 2 };
const containers = (state: object, more: object = {}) => ({ containerStatuses: [{ name: 'c', state, ...more }] });

describe('healthOf', () => {
  check('apps/v1', 'Deployment', [
    ['paused', { spec: { paused: true } }, 'Suspended'],
    [
      'not observed',
      { spec: { replicas: 1 }, status: { observedGeneration: 1 } },
      'Progressing',
      'observed deployment generation',
    ],
    ['updating', { spec: { replicas: 2 }, status: { ...observed, updatedReplicas: 1 } }, 'Progressing', '1 out of 2'],
    [
      'old ones left',
      { spec: { replicas: 1 }, status: { ...observed, updatedReplicas: 1, replicas: 2 } },
      'Progressing',
      '1 old',
    ],
    [
      'not available',
      { spec: { replicas: 1 }, status: { ...observed, updatedReplicas: 1, replicas: 1 } },
      'Progressing',
      '0 of 1',
    ],
    [
      'done',
      { spec: { replicas: 1 }, status: { ...observed, updatedReplicas: 1, replicas: 1, availableReplicas: 1 } },
      'Healthy',
    ],
    [
      'deadline',
      {
        spec: { replicas: 1 },
        status: { ...observed, conditions: [{ type: 'Progressing', reason: 'ProgressDeadlineExceeded' }] },
      },
      'Degraded',
      'exceeded its progress deadline',
    ],
  ]);
  check('v1', 'Pod', [
    ['pending', { status: { phase: 'Pending' } }, 'Progressing'],
    [
      'crash loop',
      { status: { phase: 'Running', ...containers({ waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } }) } },
      'Degraded',
      'back-off',
    ],
    [
      'image',
      { status: { phase: 'Pending', ...containers({ waiting: { reason: 'ErrImagePull', message: 'no image' } }) } },
      'Degraded',
      'no image',
    ],
    ['ready', { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } }, 'Healthy'],
    ['not ready', { status: { phase: 'Running' } }, 'Progressing'],
    ['fell before', { status: { phase: 'Running', ...containers({}, { lastState: { terminated: {} } }) } }, 'Degraded'],
    ['one-shot runs', { spec: { restartPolicy: 'Never' }, status: { phase: 'Running' } }, 'Progressing'],
    [
      'failed',
      { spec: { restartPolicy: 'Never' }, status: { phase: 'Failed', ...containers({ terminated: { exitCode: 3 } }) } },
      'Degraded',
      'exit code 3',
    ],
    ['succeeded', { status: { phase: 'Succeeded' } }, 'Healthy'],
    ['odd', { status: {} }, 'Unknown'],
  ]);
  check('apps/v1', 'ReplicaSet', [
    [
      'failing',
      { status: { ...observed, conditions: [{ type: 'ReplicaFailure', status: 'True', message: 'quota' }] } },
      'Degraded',
      'quota',
    ],
    ['short', { spec: { replicas: 2 }, status: { ...observed, availableReplicas: 1 } }, 'Progressing'],
    ['full', { spec: { replicas: 1 }, status: { ...observed, availableReplicas: 1 } }, 'Healthy'],
  ]);
  check('apps/v1', 'StatefulSet', [
    ['not observed', { status: {} }, 'Progressing'],
    ['short', { spec: { replicas: 2 }, status: { ...observed, readyReplicas: 1 } }, 'Progressing', '1 pods'],
    [
      'rolling',
      { spec: { replicas: 1 }, status: { ...observed, readyReplicas: 1, updateRevision: 'b', currentRevision: 'a' } },
      'Progressing',
    ],
    [
      'done',
      { spec: { replicas: 1 }, status: { ...observed, readyReplicas: 1, updateRevision: 'a', currentRevision: 'a' } },
      'Healthy',
    ],
  ]);
  check('apps/v1', 'DaemonSet', [
    ['updating', { status: { ...observed, desiredNumberScheduled: 2, updatedNumberScheduled: 1 } }, 'Progressing'],
    [
      'done',
      { status: { ...observed, desiredNumberScheduled: 1, updatedNumberScheduled: 1, numberAvailable: 1 } },
      'Healthy',
    ],
  ]);
  check('batch/v1', 'Job', [
    ['running', { status: {} }, 'Progressing'],
    ['failed', { status: { conditions: [{ type: 'Failed', status: 'True', message: 'why' }] } }, 'Degraded', 'why'],
    ['complete', { status: { conditions: [{ type: 'Complete', status: 'True' }] } }, 'Healthy'],
    ['suspended', { status: { conditions: [{ type: 'Suspended', status: 'True' }] } }, 'Suspended'],
  ]);
  check('v1', 'Service', [
    ['cluster IP', { spec: {} }, 'Healthy'],
    ['waiting', { spec: { type: 'LoadBalancer' } }, 'Progressing'],
    ['balanced', { spec: { type: 'LoadBalancer' }, status: { loadBalancer: { ingress: [{ ip: '1' }] } } }, 'Healthy'],
  ]);
  check('v1', 'PersistentVolumeClaim', [
    ['lost', { status: { phase: 'Lost' } }, 'Degraded'],
    ['bound', { status: { phase: 'Bound' } }, 'Healthy'],
    ['odd', {}, 'Unknown'],
  ]);
  check('autoscaling/v2', 'HorizontalPodAutoscaler', [
    ['waiting', {}, 'Progressing', 'Waiting to Autoscale'],
    [
      'broken',
      {
        status: {
          conditions: [{ type: 'ScalingActive', status: 'False', reason: 'FailedGetResourceMetric', message: 'm' }],
        },
      },
      'Degraded',
      'm',
    ],
    ['able', { status: { conditions: [{ type: 'AbleToScale', status: 'True' }] } }, 'Healthy'],
  ]);

  it('says nothing of kinds without a check, and "Pending deletion" of whatever is going', () => {
    expect(healthOf(object('v1', 'ConfigMap', {}))).toBeUndefined();
    const going = { metadata: { name: 'x', deletionTimestamp: '2026-01-01T00:00:00Z' } };
    expect(healthOf(object('v1', 'ConfigMap', going))).toEqual({ status: 'Progressing', message: 'Pending deletion' });
  });
});

describe('worstHealth', () => {
  const resource = (name: string, status?: HealthCode, isLive = true) => ({
    name,
    isLive,
    health: status && { status },
  });
  it.each([
    ['nothing at all', [], { status: 'Healthy' }],
    [
      'the worst',
      [resource('a', 'Healthy'), resource('b', 'Degraded'), resource('c', 'Progressing')],
      { status: 'Degraded', message: 'Caused by b' },
    ],
    ['missing ones do not count', [resource('a', 'Healthy'), resource('b', undefined, false)], { status: 'Healthy' }],
    ['all missing', [resource('b', undefined, false)], { status: 'Missing' }],
  ])('%s', (_name, resources, expected) => {
    expect(worstHealth(resources)).toEqual(expected);
  });
});

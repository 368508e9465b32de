import { trackingIdAnnotation } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';
import { describe, expect, it } from 'vitest';
import { Redactor } from '../application-reporter/index.ts';
import { applicationIn, isReported, workloadOf } from './workload.ts';

const redactor = new Redactor('key');
const place = { cluster: 'https://c', application: undefined, redactor };
const container = (image: string, env: object[] = []) => ({ name: 'c', image, env });

function object(kind: string, rest: object, metadata: object = {}): KubeObject {
  const apiVersion = kind === 'ReplicaSet' ? 'apps/v1' : 'argoproj.io/v1alpha1';
  return { apiVersion, kind, metadata: { name: 'web', namespace: 'team', uid: 'u', ...metadata }, ...rest };
}
const ownedBy = (kind: string) => ({
  ownerReferences: [{ apiVersion: 'x', kind, name: 'o', uid: 'o', controller: true }],
});

describe('what is reported of a workload', () => {
  it('of a Rollout are phase, message, replicas and images, and its manifest without secrets', () => {
    const password = { name: 'DB_PASSWORD', value: 'hunter2' };
    const rollout = object('Rollout', {
      spec: { replicas: 3, template: { spec: { containers: [container('web:2', [password])] } } },
      status: { phase: 'Paused', message: 'CanaryPauseStep', readyReplicas: 2 },
    });
    const report = workloadOf(rollout, place);
    expect(report).toMatchObject({ kind: 'Rollout', phase: 'Paused', message: 'CanaryPauseStep', images: ['web:2'] });
    expect(report.replicas).toEqual({ desired: 3, ready: 2 });
    expect(JSON.stringify(report)).not.toContain('hunter2');
    expect(report.manifest).toMatchObject({ status: { phase: 'Paused' } });
  });

  it.each([
    [{ spec: { replicas: 2 }, status: { readyReplicas: 2 } }, 'Healthy'],
    [{ spec: { replicas: 2 }, status: { readyReplicas: 1 } }, 'Progressing'],
    [{ spec: {}, status: { conditions: [{ type: 'ReplicaFailure', message: 'exceeded quota' }] } }, 'Degraded'],
  ])('of a ReplicaSet %j it says %s', (rest, phase) => {
    expect(workloadOf(object('ReplicaSet', rest), place).phase).toBe(phase);
  });

  it('of a Workflow are the images of its templates; one that is too large comes without its manifest', () => {
    const templates = [{ container: container('build:1') }, { container: container('test:1') }, { dag: {} }];
    const workflow = object('Workflow', {
      spec: { templates },
      status: { phase: 'Running', nodes: 'x'.repeat(300_000) },
    });
    const report = workloadOf(workflow, place);
    expect(report).toMatchObject({ phase: 'Running', images: ['build:1', 'test:1'] });
    expect(report.manifest).toBeUndefined();
  });

  it('leaves out the scaled-down history of Deployments, not that of Rollouts', () => {
    const down = { spec: { replicas: 0 }, status: { replicas: 0 } };
    expect(isReported(object('ReplicaSet', down, ownedBy('Deployment')))).toBe(false);
    expect(isReported(object('ReplicaSet', down, ownedBy('Rollout')))).toBe(true);
    expect(isReported(object('ReplicaSet', { spec: { replicas: 0 }, status: { replicas: 1 } }))).toBe(true);
  });

  it.each([
    ['web:apps/Deployment:team/web', { namespace: 'argocd', name: 'web' }],
    ['other_web:argoproj.io/Rollout:team/web', { namespace: 'other', name: 'web' }],
    ['', undefined],
  ])('finds the application in the mark %s', (mark, application) => {
    expect(applicationIn(object('Rollout', {}, { annotations: { [trackingIdAnnotation]: mark } }))).toEqual(
      application,
    );
  });
});

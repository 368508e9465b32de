import type { KubeObject } from '@fairlead/kube/object';
import { describe, expect, it } from 'vitest';
import { humanDuration } from './columns.ts';
import { readJsonPath } from './custom-resource.ts';
import { Registry } from './registry.ts';

const registry = Registry.withBuiltIns();
const defaulted = (kind: string, group: string, spec: object) => {
  const object: KubeObject = { apiVersion: group === '' ? 'v1' : `${group}/v1`, kind, metadata: { name: 'x' }, spec };
  return registry.findKind(group, 'v1', kind)?.defaults?.(object);
};

describe('defaults', () => {
  it('fill a deployment as a real API server does, and change nothing on a second pass', () => {
    const template = {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'c', image: 'nginx', ports: [{ containerPort: 80 }] }] },
    };
    const once = defaulted('Deployment', 'apps', { selector: { matchLabels: { a: 'b' } }, template });
    expect(once?.['spec']).toEqual({
      selector: { matchLabels: { a: 'b' } },
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      template: {
        metadata: { labels: { a: 'b' } },
        spec: {
          containers: [
            {
              name: 'c',
              image: 'nginx',
              imagePullPolicy: 'Always',
              ports: [{ containerPort: 80, protocol: 'TCP' }],
              resources: {},
              terminationMessagePath: '/dev/termination-log',
              terminationMessagePolicy: 'File',
            },
          ],
          dnsPolicy: 'ClusterFirst',
          restartPolicy: 'Always',
          schedulerName: 'default-scheduler',
          securityContext: {},
          terminationGracePeriodSeconds: 30,
        },
      },
    });
    expect(once && registry.findKind('apps', 'v1', 'Deployment')?.defaults?.(once)).toEqual(once);
  });

  it.each([
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['nginx:1.27', 'IfNotPresent'],
    ['host:5000/nginx', 'Always'],
    ['nginx@sha256:abc', 'IfNotPresent'],
  ])('pull %s %s', (image, policy) => {
    expect(defaulted('Pod', '', { containers: [{ name: 'c', image }] })).toMatchObject({
      spec: { containers: [{ imagePullPolicy: policy }] },
    });
  });
});

describe('printed columns', () => {
  it.each([
    [5_000, '5s'],
    [119_000, '119s'],
    [150_000, '2m30s'],
    [3_600_000, '60m'],
    [4 * 3_600_000 + 60_000, '4h1m'],
    [49 * 3_600_000, '2d1h'],
    [400 * 86_400_000, '400d'],
  ])('%i ms are %s', (ms, text) => {
    expect(humanDuration(ms)).toBe(text);
  });

  it.each([
    ['.spec.size', 3],
    ['.status.conditions[?(@.type=="Ready")].status', 'True'],
    ['.metadata.labels.app\\.io/name', 'n'],
    [".metadata.labels['app.io/name']", 'n'],
    ['.status.conditions[0].type', 'Other'],
    ['.spec.missing.deeper', undefined],
  ])('%s reads %s', (path, expected) => {
    const object = {
      metadata: { labels: { 'app.io/name': 'n' } },
      spec: { size: 3 },
      status: { conditions: [{ type: 'Other' }, { type: 'Ready', status: 'True' }] },
    };
    expect(readJsonPath(object, path)).toBe(expected);
  });
});

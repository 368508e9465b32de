import { expect, it } from 'vitest';
import { endpointsOf, factsOf } from './workload-model.ts';

const deployment = {
  metadata: { labels: { app: 'shop', broken: 7 } },
  spec: {
    replicas: 3,
    template: { metadata: { labels: { app: 'shop' } }, spec: { containers: [{ image: 'shop:1' }, { image: 4 }] } },
  },
  status: { readyReplicas: 2 },
};
const service = (name: string, selector: object, more: object = {}) => ({
  metadata: { name },
  spec: { selector, clusterIP: '10.96.0.14', ports: [{ port: 80 }, { port: 443 }], ...more },
});

it('reads replicas, images and labels of each kind of workload', () => {
  expect(factsOf(deployment)).toEqual({
    replicas: { ready: 2, wanted: 3 },
    images: ['shop:1'],
    labels: { app: 'shop' },
    podLabels: { app: 'shop' },
  });
  expect(factsOf({ spec: {}, status: { desiredNumberScheduled: 4, numberReady: 4 } }).replicas).toEqual({
    ready: 4,
    wanted: 4,
  });
  const job = { spec: { jobTemplate: { spec: { template: { spec: { containers: [{ image: 'job:1' }] } } } } } };
  expect(factsOf(job)).toMatchObject({ replicas: undefined, images: ['job:1'] });
});

it('believes nothing that is not what it should be', () => {
  for (const manifest of [undefined, null, 'text', [], { spec: 'x', metadata: 3, status: [] }])
    expect(factsOf(manifest)).toEqual({ replicas: undefined, images: [], labels: {}, podLabels: {} });
});

it('finds the Services that lead to the pods, and no others', () => {
  const all = [
    service('shop', { app: 'shop' }),
    service('mail', { app: 'mail' }),
    service('all', {}),
    service('headless', { app: 'shop' }, { clusterIP: 'None', ports: [{ port: 5432 }] }),
    {
      ...service('public', { app: 'shop' }, { ports: [{ port: 80 }] }),
      status: { loadBalancer: { ingress: [{ hostname: 'shop.example.com' }] } },
    },
  ];
  expect(endpointsOf(all, { app: 'shop', tier: 'web' })).toEqual([
    { service: 'shop', addresses: ['10.96.0.14:80', '10.96.0.14:443'] },
    { service: 'headless', addresses: [':5432'] },
    { service: 'public', addresses: ['10.96.0.14:80', 'shop.example.com:80'] },
  ]);
});

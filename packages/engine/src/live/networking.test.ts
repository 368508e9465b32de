import type { KubeObject } from '@fairlead/kube';
import { expect, it } from 'vitest';
import { externalUrlsOf, networkingOf } from './networking.ts';

const make = (apiVersion: string, kind: string, fields: object, metadata: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { namespace: 'n', name: 'web', ...metadata },
  ...fields,
});

it('a Service leads to pods by their labels, and a pod says which it has', () => {
  const status = { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } };
  expect(networkingOf(make('v1', 'Service', { spec: { selector: { app: 'web' } }, status }))).toEqual({
    targetLabels: { app: 'web' },
    ingress: [{ ip: '10.0.0.1' }],
  });
  expect(networkingOf(make('v1', 'Pod', {}, { labels: { app: 'web' } }))).toEqual({ labels: { app: 'web' } });
  expect(networkingOf(make('v1', 'Service', { spec: {} }))).toBeUndefined();
});

it('an Ingress leads to its Services, and has addresses that can be opened', () => {
  const to = (name: string, path: string) => ({ path, backend: { service: { name, port: { number: 80 } } } });
  const rules = [
    { host: 'shop.example.com', http: { paths: [to('front', '/'), to('api', '/api/*')] } },
    { host: 'plain.example.com', http: { paths: [to('front', '')] } },
  ];
  const ingress = make('networking.k8s.io/v1', 'Ingress', { spec: { rules, tls: [{ hosts: ['shop.example.com'] }] } });
  expect(networkingOf(ingress)).toEqual({
    targetRefs: ['front', 'api'].map((name) => ({ group: '', kind: 'Service', namespace: 'n', name })),
    externalURLs: ['https://shop.example.com/', 'https://shop.example.com/api/', 'http://plain.example.com'],
  });
});

it('an Ingress without a host is found at its address, and at none before it has one', () => {
  const spec = { rules: [{ http: { paths: [{ path: '/x', backend: { service: { name: 'front' } } }] } }] };
  const status = { loadBalancer: { ingress: [{ hostname: 'lb.example.com' }] } };
  expect(networkingOf(make('networking.k8s.io/v1', 'Ingress', { spec }))?.externalURLs).toBeUndefined();
  expect(externalUrlsOf([make('networking.k8s.io/v1', 'Ingress', { spec, status })])).toEqual([
    'http://lb.example.com/x',
  ]);
});

it('links of people come along, or instead', () => {
  const links = { 'link.argocd.argoproj.io/grafana': 'https://grafana.example.com' };
  expect(networkingOf(make('apps/v1', 'Deployment', {}, { annotations: links }))).toEqual({
    externalURLs: ['https://grafana.example.com'],
  });
  const spec = { rules: [{ host: 'a.example.com', http: { paths: [{ backend: { service: { name: 'a' } } }] } }] };
  const annotations = { ...links, 'argocd.argoproj.io/ignore-default-links': 'true' };
  expect(externalUrlsOf([make('networking.k8s.io/v1', 'Ingress', { spec }, { annotations })])).toEqual([
    'https://grafana.example.com',
  ]);
});

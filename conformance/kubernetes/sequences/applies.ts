// Server-side apply: ownership, conflicts, force, giving up fields.
import { apply, get, jsonPatch, mergePatch, post, put, sequence } from '../sequence.ts';
import {
  configMap,
  configMaps,
  container,
  deployment,
  deployments,
  pod,
  pods,
  service,
  services,
  template,
} from './bodies.ts';

const one = `${configMaps}/a`;
const web = `${deployments}/web`;
const map = (data: Readonly<Record<string, string>>) => configMap('a', data);
const scaled = (replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { replicas },
});
const withContainers = (...containers: readonly unknown[]) =>
  deployment('web', { template: { metadata: { labels: { app: 'web' } }, spec: { containers } } });
const annotated = (annotations: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', annotations },
});

export const applies = [
  sequence('apply creates', apply(one, 'left', map({ a: '1' })), get(one)),
  sequence('apply twice changes nothing', apply(one, 'left', map({ a: '1' })), apply(one, 'left', map({ a: '1' }))),
  sequence('apply changes its own field', apply(one, 'left', map({ a: '1' })), apply(one, 'left', map({ a: '2' }))),
  sequence('apply gives up a field', apply(one, 'left', map({ a: '1', b: '2' })), apply(one, 'left', map({ a: '1' }))),
  sequence(
    'apply gives up everything',
    apply(one, 'left', map({ a: '1' })),
    apply(one, 'left', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }),
  ),
  sequence('apply without a manager', { ...apply(one, 'x', map({})), path: one }),
  sequence(
    'apply conflicts with an update',
    post(`${configMaps}?fieldManager=first`, map({ a: '1' })),
    apply(one, 'left', map({ a: '2' })),
  ),
  sequence(
    'apply conflicts with an apply',
    apply(one, 'left', map({ a: '1', b: '1' })),
    apply(one, 'right', map({ a: '2', b: '2' })),
  ),
  sequence(
    'apply conflicts with two',
    apply(one, 'left', map({ a: '1' })),
    apply(one, 'middle', map({ b: '1' })),
    apply(one, 'right', map({ a: '2', b: '2' })),
  ),
  sequence(
    'apply by force',
    apply(one, 'left', map({ a: '1', b: '1' })),
    apply(one, 'right', map({ a: '2' }), { force: true }),
  ),
  sequence(
    'apply shares an equal value',
    apply(one, 'left', map({ a: '1' })),
    apply(one, 'right', map({ a: '1' })),
    apply(one, 'left', map({ b: '1' })),
    apply(one, 'right', map({ c: '1' })),
  ),
  sequence(
    'update takes ownership from apply',
    apply(one, 'left', map({ a: '1', b: '1' })),
    mergePatch(`${one}?fieldManager=hand`, { data: { a: '2' } }),
    apply(one, 'left', map({ a: '1', b: '1' })),
    apply(one, 'left', map({ a: '1', b: '1' }), { force: true }),
  ),
  sequence(
    'replace keeps what apply owns',
    apply(one, 'left', map({ a: '1' })),
    put(`${one}?fieldManager=hand`, map({ a: '1', b: '2' })),
  ),
  sequence('apply in a dry run', apply(`${one}?dryRun=All`, 'left', map({ a: '1' })), get(one)),
  sequence('apply of another name', apply(one, 'left', configMap('b', { a: '1' }))),
  sequence('apply of another kind', apply(one, 'left', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } })),
  sequence('apply without a name', apply(one, 'left', { apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } })),
  sequence('apply without a kind', apply(one, 'left', { metadata: { name: 'a' } })),
  sequence(
    'apply with managed fields',
    apply(
      one,
      'left',
      configMap(
        'a',
        {},
        {
          managedFields: [{ manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }],
        },
      ),
    ),
  ),
  sequence('apply an unknown field', apply(one, 'left', { ...map({}), unheard: 'of' })),
  sequence('apply a wrong type', apply(one, 'left', { ...map({}), data: ['x'] })),
  sequence(
    'apply YAML',
    apply(one, 'left', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: "1"\n'),
  ),
  sequence('apply broken YAML', apply(one, 'left', 'a: [')),
  sequence(
    'apply of a stale version',
    apply(one, 'left', map({ a: '1' })),
    apply(one, 'left', configMap('a', { a: '2' }, { resourceVersion: '1' })),
  ),
  sequence('apply of a version to nothing', apply(one, 'left', configMap('a', { a: '2' }, { resourceVersion: '1' }))),
  sequence('apply of a uid to nothing', apply(one, 'left', configMap('a', { a: '2' }, { uid: 'x' }))),
  sequence('apply a deployment', apply(web, 'left', deployment('web'))),
  sequence(
    'apply shares a deployment with a scaler',
    apply(web, 'left', deployment('web', { replicas: 2 })),
    apply(web, 'scaler', scaled(5)),
    apply(web, 'scaler', scaled(5), { force: true }),
    apply(web, 'left', deployment('web')),
  ),
  sequence(
    'apply gives replicas up to nobody',
    apply(web, 'left', deployment('web', { replicas: 2 })),
    apply(web, 'left', deployment('web')),
  ),
  sequence(
    'apply adds and removes containers',
    apply(web, 'left', withContainers(container(), container({ name: 'side' }))),
    apply(web, 'left', withContainers(container())),
  ),
  sequence(
    'apply a container of its own',
    apply(web, 'left', deployment('web')),
    apply(web, 'right', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { template: { spec: { containers: [{ name: 'side', image: 'busybox:1' }] } } },
    }),
    apply(web, 'left', deployment('web', { template: template() })),
  ),
  sequence(
    'apply env and ports by key',
    apply(
      web,
      'left',
      withContainers(
        container({
          env: [
            { name: 'A', value: '1' },
            { name: 'B', value: '2' },
          ],
          ports: [{ containerPort: 80 }, { containerPort: 81, protocol: 'UDP' }],
        }),
      ),
    ),
    apply(
      web,
      'left',
      withContainers(container({ env: [{ name: 'B', value: '2' }], ports: [{ containerPort: 80, name: 'http' }] })),
    ),
  ),
  sequence('apply the same key twice', apply(web, 'left', withContainers(container(), container()))),
  sequence(
    'apply volumes and their sources',
    apply(
      web,
      'left',
      deployment('web', {
        template: template({
          volumes: [{ name: 'v', configMap: { name: 'c', items: [{ key: 'a', path: 'b' }] } }],
          nodeSelector: { a: 'b' },
          tolerations: [{ key: 'k', operator: 'Exists' }],
        }),
      }),
    ),
  ),
  sequence(
    'apply a service',
    apply(
      `${services}/s`,
      'left',
      service('s', {
        selector: { app: 'web' },
        ports: [
          { port: 80, name: 'http' },
          { port: 443, name: 'https' },
        ],
      }),
    ),
    apply(`${services}/s`, 'left', service('s', { selector: { app: 'other' }, ports: [{ port: 80, name: 'http' }] })),
  ),
  sequence('apply a pod', apply(`${pods}/p`, 'left', pod('p'))),
  sequence(
    'apply labels and annotations',
    apply(one, 'left', annotated({ a: '1', b: '1' })),
    apply(one, 'right', annotated({ c: '1' })),
    apply(one, 'left', annotated({ a: '1' })),
  ),
  sequence(
    'apply finalizers',
    apply(one, 'left', configMap('a', {}, { finalizers: ['example.com/a', 'example.com/b'] })),
    apply(one, 'left', configMap('a', {}, { finalizers: ['example.com/b'] })),
    apply(one, 'right', configMap('a', {}, { finalizers: ['example.com/c'] })),
  ),
  sequence(
    'apply owner references',
    apply(
      one,
      'left',
      configMap(
        'a',
        {},
        {
          ownerReferences: [
            { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '00000000-0000-0000-0000-000000000001' },
          ],
        },
      ),
    ),
    apply(
      one,
      'left',
      configMap(
        'a',
        {},
        {
          ownerReferences: [
            {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              name: 'o',
              uid: '00000000-0000-0000-0000-000000000001',
              controller: true,
            },
          ],
        },
      ),
    ),
  ),
  sequence(
    'apply a status',
    apply(web, 'left', deployment('web')),
    apply(`${web}/status`, 'watcher', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      status: { replicas: 1, conditions: [{ type: 'Available', status: 'True' }] },
    }),
  ),
  sequence(
    'apply ignores status at the main door',
    apply(web, 'left', { ...deployment('web'), status: { replicas: 4 } }),
  ),
  sequence(
    'managed fields can be reset',
    apply(one, 'left', map({ a: '1' })),
    mergePatch(one, { metadata: { managedFields: [{}] } }),
    apply(one, 'right', map({ a: '2' })),
  ),
  sequence(
    'managed fields can be rewritten',
    apply(one, 'left', map({ a: '1' })),
    jsonPatch(one, [{ op: 'replace', path: '/metadata/managedFields/0/manager', value: 'renamed' }]),
    apply(one, 'renamed', map({})),
  ),
  sequence(
    'managed fields that are invalid',
    apply(one, 'left', map({ a: '1' })),
    mergePatch(one, {
      metadata: {
        managedFields: [{ manager: 'x', operation: 'Invent', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }],
      },
    }),
  ),
  sequence('apply a null', apply(one, 'left', { ...map({}), data: { a: null, b: '1' } })),
  sequence('apply an empty map', apply(one, 'left', { ...map({}), data: {} })),
  sequence(
    'apply a secret of plain strings',
    apply('/api/v1/namespaces/{ns}/secrets/s', 'left', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's' },
      stringData: { a: 'b' },
    }),
  ),
  sequence(
    'apply a role',
    apply('/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles/r', 'left', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'r' },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    }),
  ),
  sequence(
    'apply an ingress',
    apply('/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses/i', 'left', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'i' },
      spec: {
        tls: [{ hosts: ['a.example.com'] }],
        rules: [
          {
            host: 'a.example.com',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
            },
          },
        ],
      },
    }),
  ),
  sequence(
    'apply a namespace',
    apply('/api/v1/namespaces/{ns}-applied', 'left', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: '{ns}-applied', labels: { a: 'b' } },
    }),
  ),
];

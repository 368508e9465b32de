// What is refused, and in which words.
import { mergePatch, post, put, sequence } from '../sequence.ts';
import {
  configMap,
  configMaps,
  container,
  cronJobs,
  deployment,
  deployments,
  jobs,
  pod,
  pods,
  secret,
  secrets,
  service,
  services,
  statefulSets,
  template,
} from './bodies.ts';

const named = (name: string) => post(configMaps, configMap(name));
const withContainer = (rest: Readonly<Record<string, unknown>>) =>
  post(pods, pod('p', { containers: [container(rest)] }));
const withPodSpec = (spec: Readonly<Record<string, unknown>>) => post(pods, pod('p', spec));
const strict = (path: string) => `${path}?fieldValidation=Strict`;
const job = (spec: Readonly<Record<string, unknown>>) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'j' },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [container()] } }, ...spec },
});
const stateful = (spec: Readonly<Record<string, unknown>>) => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 's' },
  spec: { serviceName: 's', selector: { matchLabels: { app: 'web' } }, template: template(), ...spec },
});

const mounting = (name: string) => ({ containers: [container({ volumeMounts: [{ name, mountPath: '/data' }] })] });
const claim = (name: string, storage = '1Gi') => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
});

export const validation = [
  sequence('a name in capitals', named('Upper')),
  sequence('a name with an underscore', named('a_b')),
  sequence('a name that is too long', named('a'.repeat(254))),
  sequence('a service name that is too long', post(services, service('a'.repeat(64)))),
  sequence('a service name that starts with a digit', post(services, service('1a'))),
  sequence(
    'a namespace with a dot',
    post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a.b' } }),
  ),
  sequence('a label value that is invalid', post(configMaps, configMap('a', {}, { labels: { x: 'not valid!' } }))),
  sequence('a label key that is invalid', post(configMaps, configMap('a', {}, { labels: { 'not valid!': 'x' } }))),
  sequence('an annotation key that is invalid', post(configMaps, configMap('a', {}, { annotations: { 'a b': 'x' } }))),
  sequence(
    'annotations that are too long',
    post(configMaps, configMap('a', {}, { annotations: { a: 'x'.repeat(262_145) } })),
  ),
  sequence('a finalizer without a domain', post(configMaps, configMap('a', {}, { finalizers: ['hold'] }))),
  sequence(
    'an owner without a uid',
    post(
      configMaps,
      configMap('a', {}, { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '' }] }),
    ),
  ),
  sequence(
    'two controllers',
    post(
      configMaps,
      configMap(
        'a',
        {},
        {
          ownerReferences: [
            { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'a', controller: true },
            { apiVersion: 'v1', kind: 'ConfigMap', name: 'p', uid: 'b', controller: true },
          ],
        },
      ),
    ),
  ),
  sequence('a data key that is invalid', post(configMaps, configMap('a', { 'a b': 'x' }))),
  sequence('a config map that is too large', post(configMaps, configMap('a', { a: 'x'.repeat(1_048_577) }))),
  sequence(
    'a sealed config map',
    post(configMaps, { ...configMap('a'), immutable: true }),
    mergePatch(`${configMaps}/a`, { data: { a: '2' } }),
    mergePatch(`${configMaps}/a`, { immutable: false }),
    mergePatch(`${configMaps}/a`, { metadata: { labels: { x: 'y' } } }),
  ),
  sequence(
    'a secret changes its type',
    post(secrets, secret('s', {})),
    mergePatch(`${secrets}/s`, { type: 'example.com/other' }),
  ),
  sequence(
    'a docker secret without its key',
    post(secrets, secret('s', { type: 'kubernetes.io/dockerconfigjson', data: {} })),
  ),
  sequence(
    'a pod without containers',
    post(pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: {} }),
  ),
  sequence('a container without a name', withPodSpec({ containers: [{ image: 'nginx' }] })),
  sequence('a container without an image', withPodSpec({ containers: [{ name: 'web' }] })),
  sequence('two containers of one name', withPodSpec({ containers: [container(), container()] })),
  sequence('a container name that is invalid', withContainer({ name: 'Web' })),
  sequence('an image with spaces', withContainer({ image: ' nginx' })),
  sequence('a quantity that is invalid', withContainer({ resources: { requests: { cpu: 'much' } } })),
  sequence('a request above its limit', withContainer({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } })),
  sequence(
    'quantities are made canonical',
    withContainer({
      resources: { limits: { cpu: '1000m', memory: '1024Mi' }, requests: { cpu: 0.5, memory: '0.5Gi' } },
    }),
  ),
  sequence('a port out of range', withContainer({ ports: [{ containerPort: 70_000 }] })),
  sequence('a port name that is invalid', withContainer({ ports: [{ containerPort: 80, name: 'Not_Valid' }] })),
  sequence('a restart policy that is unknown', withPodSpec({ restartPolicy: 'Sometimes' })),
  sequence('a pull policy that is unknown', withContainer({ imagePullPolicy: 'Perhaps' })),
  sequence('a mount without a volume', withContainer({ volumeMounts: [{ name: 'none', mountPath: '/x' }] })),
  sequence(
    'two mounts at one path',
    post(
      pods,
      pod('p', {
        volumes: [{ name: 'v', emptyDir: {} }],
        containers: [
          container({
            volumeMounts: [
              { name: 'v', mountPath: '/x' },
              { name: 'v', mountPath: '/x' },
            ],
          }),
        ],
      }),
    ),
  ),
  sequence(
    'two sources of a volume',
    withPodSpec({ volumes: [{ name: 'v', emptyDir: {}, configMap: { name: 'c' } }] }),
  ),
  sequence('an env name that is invalid', withContainer({ env: [{ name: '', value: 'x' }] })),
  sequence('a probe without a handler', withContainer({ livenessProbe: { periodSeconds: 5 } })),
  sequence(
    'a deployment without a selector',
    post(deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { template: template() },
    }),
  ),
  sequence(
    'a deployment without a template',
    post(deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: { app: 'web' } } },
    }),
  ),
  sequence(
    'a selector that misses its template',
    post(deployments, deployment('web', { selector: { matchLabels: { app: 'other' } } })),
  ),
  sequence('an empty selector', post(deployments, deployment('web', { selector: {} }))),
  sequence('negative replicas', post(deployments, deployment('web', { replicas: -1 }))),
  sequence('a strategy that is unknown', post(deployments, deployment('web', { strategy: { type: 'Sideways' } }))),
  sequence(
    'a strategy that is torn',
    post(deployments, deployment('web', { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } })),
  ),
  sequence(
    'no surge and none unavailable',
    post(deployments, deployment('web', { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } })),
  ),
  sequence(
    'a deployment of one run',
    post(deployments, deployment('web', { template: template({ restartPolicy: 'Never' }) })),
  ),
  sequence(
    'a stateful set changes its service',
    post(statefulSets, stateful({})),
    put(`${statefulSets}/s`, stateful({ serviceName: 'other' })),
  ),
  sequence(
    'a stateful set mounts what it claims',
    post(statefulSets, stateful({ template: template(mounting('data')), volumeClaimTemplates: [claim('data')] })),
    put(
      `${statefulSets}/s`,
      stateful({ template: template(mounting('data')), volumeClaimTemplates: [claim('data', '2Gi')] }),
    ),
  ),
  sequence(
    'a stateful set with a pod that could not be',
    post(statefulSets, stateful({ template: template(mounting('nothing')) })),
    put(`${statefulSets}/s`, stateful({ template: template({ containers: [{ name: 'Web' }] }) })),
    put(`${statefulSets}/s`, stateful({ template: template({ restartPolicy: 'Never' }) })),
  ),
  sequence(
    'a deployment mounts a volume that is not there',
    post(deployments, deployment('d', { template: template(mounting('nothing')) })),
  ),
  sequence('a job that always restarts', post(jobs, job({ template: { spec: { containers: [container()] } } }))),
  sequence(
    'a job changes its template',
    post(jobs, job({})),
    mergePatch(`${jobs}/j`, { spec: { template: { spec: { containers: [container({ image: 'other:1' })] } } } }),
  ),
  sequence('negative parallelism', post(jobs, job({ parallelism: -1 }))),
  sequence(
    'a schedule that is invalid',
    post(cronJobs, {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'c' },
      spec: {
        schedule: 'often',
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container()] } } } },
      },
    }),
  ),
  sequence('a service without ports', post(services, service('s', {}))),
  sequence('a service with two unnamed ports', post(services, service('s', { ports: [{ port: 80 }, { port: 81 }] }))),
  sequence('a service type that is unknown', post(services, service('s', { type: 'Sideways', ports: [{ port: 80 }] }))),
  sequence('a service port out of range', post(services, service('s', { ports: [{ port: 0 }] }))),
  sequence(
    'a cluster address changes',
    post(services, service('s')),
    mergePatch(`${services}/s`, { spec: { clusterIP: '10.96.200.200', clusterIPs: ['10.96.200.200'] } }),
  ),
  sequence(
    'a role reference changes',
    post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: '{ns}' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    }),
    mergePatch('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/{ns}', { roleRef: { name: 'edit' } }),
  ),
  sequence(
    'a role without verbs',
    post('/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'r' },
      rules: [{ apiGroups: [''], resources: ['pods'] }],
    }),
  ),
  sequence(
    'a path type that is missing',
    post('/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'i' },
      spec: {
        rules: [{ http: { paths: [{ path: '/', backend: { service: { name: 's', port: { number: 80 } } } }] } }],
      },
    }),
  ),
  sequence('an unknown field by default', post(configMaps, { ...configMap('a'), unheard: 'of' })),
  sequence('an unknown field in strict mode', post(strict(configMaps), { ...configMap('a'), unheard: 'of' })),
  sequence(
    'an unknown field with a warning',
    post(`${configMaps}?fieldValidation=Warn`, { ...configMap('a'), unheard: 'of' }),
  ),
  sequence(
    'an unknown field is ignored',
    post(`${configMaps}?fieldValidation=Ignore`, { ...configMap('a'), unheard: 'of' }),
  ),
  sequence(
    'unknown fields deep in strict mode',
    post(
      strict(deployments),
      deployment('web', { replica: 1, template: template({ containers: [container({ imagePolicy: 'x' })] }) }),
    ),
  ),
  sequence('an unknown validation mode', post(`${configMaps}?fieldValidation=Sometimes`, configMap('a'))),
  sequence(
    'a repeated field in strict mode',
    post(
      strict(configMaps),
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":"1"},"data":{"a":"2"}}',
    ),
  ),
  sequence(
    'an unknown field in a merge patch',
    post(configMaps, configMap('a')),
    mergePatch(strict(`${configMaps}/a`), { unheard: 'of' }),
    mergePatch(`${configMaps}/a?fieldValidation=Warn`, { unheard: 'of' }),
  ),
  sequence('a number where a string belongs', post(configMaps, configMap('a', { a: 1 }))),
  sequence('a string where a number belongs', post(deployments, deployment('web', { replicas: '3' }))),
  sequence('an object where a list belongs', post(pods, pod('p', { containers: {} }))),
  sequence('a fraction where an integer belongs', post(deployments, deployment('web', { replicas: 1.5 }))),
];

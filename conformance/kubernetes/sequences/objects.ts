// Create, read, replace, delete.
import { from, get, mergePatch, post, put, remove, sequence, versionOf } from '../sequence.ts';
import {
  configMap,
  configMaps,
  cronJobs,
  daemonSets,
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

const labelled = (value: string) => ({ labels: { tier: value } });

export const objects = [
  sequence('create and get a config map', post(configMaps, configMap('a')), get(`${configMaps}/a`)),
  sequence('create names nothing', post(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} })),
  sequence('create twice', post(configMaps, configMap('a')), post(configMaps, configMap('a'))),
  sequence('create with a version', post(configMaps, configMap('a', {}, { resourceVersion: '5' }))),
  sequence('create with a uid of its own', post(configMaps, configMap('a', {}, { uid: 'mine', generation: 7 }))),
  sequence('create in another namespace', post(configMaps, configMap('a', {}, { namespace: 'default' }))),
  sequence('create in no namespace', post('/api/v1/namespaces/not-there/configmaps', configMap('a'))),
  sequence(
    'create by a generated name',
    post(configMaps, configMap('', {}, { name: undefined, generateName: 'made-' })),
  ),
  sequence(
    'create a generated name that is invalid',
    post(configMaps, configMap('', {}, { name: undefined, generateName: 'Made_' })),
  ),
  sequence('create in a dry run', post(`${configMaps}?dryRun=All`, configMap('a')), get(`${configMaps}/a`)),
  sequence('create in a dry run of another word', post(`${configMaps}?dryRun=Some`, configMap('a'))),
  sequence('create with a field manager', post(`${configMaps}?fieldManager=someone`, configMap('a'))),
  sequence(
    'create with a field manager that is too long',
    post(`${configMaps}?fieldManager=${'x'.repeat(129)}`, configMap('a')),
  ),
  sequence('get what is not there', get(`${configMaps}/none`)),
  sequence('get in a namespace that is not there', get('/api/v1/namespaces/not-there/configmaps/a')),
  sequence(
    'get metadata only',
    post(configMaps, configMap('a')),
    get(`${configMaps}/a`, { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' }),
  ),
  sequence(
    'replace',
    post(configMaps, configMap('a')),
    put(`${configMaps}/a`, configMap('a', { b: '2' })),
    get(`${configMaps}/a`),
  ),
  sequence('replace nothing', put(`${configMaps}/a`, configMap('a'))),
  sequence('replace under another name', post(configMaps, configMap('a')), put(`${configMaps}/a`, configMap('b'))),
  sequence('replace with the same content', post(configMaps, configMap('a')), put(`${configMaps}/a`, configMap('a'))),
  sequence(
    'replace by another manager',
    post(configMaps, configMap('a', { a: '1', b: '1' })),
    put(`${configMaps}/a?fieldManager=other`, configMap('a', { a: '1', b: '2', c: '3' })),
  ),
  sequence(
    'replace a stale version',
    post(configMaps, configMap('a')),
    put(`${configMaps}/a`, configMap('a', { b: '2' })),
    (answers) => put(`${configMaps}/a`, configMap('a', { c: '3' }, { resourceVersion: versionOf(answers, 0) })),
  ),
  sequence(
    'replace with another uid',
    post(configMaps, configMap('a')),
    put(`${configMaps}/a`, configMap('a', {}, { uid: '00000000-0000-0000-0000-000000000000' })),
  ),
  sequence(
    'replace in a dry run',
    post(configMaps, configMap('a')),
    put(`${configMaps}/a?dryRun=All`, configMap('a', { b: '2' })),
    get(`${configMaps}/a`),
  ),
  sequence(
    'replace of a deployment counts generations',
    post(deployments, deployment('web')),
    put(`${deployments}/web`, deployment('web', { replicas: 3 })),
    put(`${deployments}/web`, { ...deployment('web', { replicas: 3 }), metadata: { name: 'web', ...labelled('x') } }),
  ),
  sequence(
    'status in a created deployment is dropped',
    post(deployments, { ...deployment('web'), status: { replicas: 9 } }),
  ),
  sequence(
    'replace does not touch status',
    post(deployments, deployment('web')),
    put(`${deployments}/web/status`, {
      ...deployment('web', { replicas: 5 }),
      status: { replicas: 2, observedGeneration: 1 },
    }),
    put(`${deployments}/web`, { ...deployment('web'), status: { replicas: 7 } }),
  ),
  sequence(
    'delete',
    post(configMaps, configMap('a')),
    remove(`${configMaps}/a`),
    get(`${configMaps}/a`),
    remove(`${configMaps}/a`),
  ),
  sequence(
    'delete of another uid',
    post(configMaps, configMap('a')),
    remove(`${configMaps}/a`, { preconditions: { uid: '00000000-0000-0000-0000-000000000000' } }),
  ),
  sequence(
    'delete of another version',
    post(configMaps, configMap('a')),
    remove(`${configMaps}/a`, { preconditions: { resourceVersion: '1' } }),
  ),
  sequence('delete of the right version', post(configMaps, configMap('a')), (answers) =>
    remove(`${configMaps}/a`, {
      preconditions: { resourceVersion: versionOf(answers, 0), uid: from(answers, 0, 'metadata', 'uid') },
    }),
  ),
  sequence(
    'delete in a dry run',
    post(configMaps, configMap('a')),
    remove(`${configMaps}/a?dryRun=All`),
    get(`${configMaps}/a`),
  ),
  sequence(
    'delete waits for finalizers',
    post(configMaps, configMap('a', {}, { finalizers: ['example.com/hold'] })),
    remove(`${configMaps}/a`),
    get(`${configMaps}/a`),
    remove(`${configMaps}/a`),
    mergePatch(`${configMaps}/a`, { metadata: { finalizers: null } }),
    get(`${configMaps}/a`),
  ),
  sequence(
    'no finalizer is added while deleting',
    post(configMaps, configMap('a', {}, { finalizers: ['example.com/hold'] })),
    remove(`${configMaps}/a`),
    mergePatch(`${configMaps}/a`, { metadata: { finalizers: ['example.com/hold', 'example.com/other'] } }),
  ),
  sequence(
    'delete in the foreground',
    post(configMaps, configMap('a')),
    remove(`${configMaps}/a?propagationPolicy=Foreground`),
    get(`${configMaps}/a`),
  ),
  sequence(
    'delete and orphan',
    post(deployments, deployment('web')),
    remove(`${deployments}/web`, { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Orphan' }),
    get(`${deployments}/web`),
  ),
  sequence(
    'delete with an unknown policy',
    post(configMaps, configMap('a')),
    remove(`${configMaps}/a?propagationPolicy=Sideways`),
  ),
  sequence(
    'delete with both policies',
    post(configMaps, configMap('a')),
    remove(`${configMaps}/a`, { orphanDependents: true, propagationPolicy: 'Orphan' }),
  ),
  sequence('delete a pod that never ran', post(pods, pod('p')), remove(`${pods}/p`), get(`${pods}/p`)),
  sequence('delete a pod at once', post(pods, pod('p')), remove(`${pods}/p`, { gracePeriodSeconds: 0 })),
  sequence(
    'delete with a negative grace period',
    post(pods, pod('p')),
    remove(`${pods}/p`, { gracePeriodSeconds: -1 }),
  ),
  sequence(
    'delete a collection',
    post(configMaps, configMap('a', {}, labelled('x'))),
    post(configMaps, configMap('b', {}, labelled('y'))),
    remove(`${configMaps}?labelSelector=tier=x`),
    get(configMaps),
  ),
  sequence(
    'delete a namespace twice',
    remove('/api/v1/namespaces/{ns}'),
    get('/api/v1/namespaces/{ns}'),
    remove('/api/v1/namespaces/{ns}'),
    post(configMaps, configMap('late')),
  ),
  sequence('system namespaces stay', remove('/api/v1/namespaces/default'), remove('/api/v1/namespaces/kube-system')),
  sequence(
    'a pod gets its defaults',
    post(
      pods,
      pod('p', {
        containers: [
          {
            name: 'web',
            image: 'nginx',
            ports: [{ containerPort: 80 }],
            readinessProbe: { httpGet: { port: 80 } },
            resources: { limits: { cpu: '0.5', memory: '64Mi' } },
            env: [{ name: 'N', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
          },
        ],
        volumes: [{ name: 'c', configMap: { name: 'c' } }, { name: 'e' }],
      }),
    ),
  ),
  sequence('a deployment gets its defaults', post(deployments, deployment('web'))),
  sequence('a deployment that recreates', post(deployments, deployment('web', { strategy: { type: 'Recreate' } }))),
  sequence(
    'a stateful set gets its defaults',
    post(statefulSets, {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 's' },
      spec: {
        serviceName: 's',
        selector: { matchLabels: { app: 'web' } },
        template: template(),
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    }),
  ),
  sequence(
    'a daemon set gets its defaults',
    post(daemonSets, {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'd' },
      spec: { selector: { matchLabels: { app: 'web' } }, template: template() },
    }),
  ),
  sequence(
    'a job gets its defaults',
    post(jobs, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'j' },
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox:1' }] } } },
    }),
  ),
  sequence(
    'a cron job gets its defaults',
    post(cronJobs, {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'c' },
      spec: {
        schedule: '*/5 * * * *',
        jobTemplate: {
          spec: { template: { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'c', image: 'busybox:1' }] } } },
        },
      },
    }),
  ),
  sequence(
    'a service gets an address',
    post(services, service('s', { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }] })),
  ),
  sequence(
    'a headless service',
    post(services, service('s', { clusterIP: 'None', selector: { app: 'web' }, ports: [{ port: 80 }] })),
  ),
  sequence('a node port service', post(services, service('s', { type: 'NodePort', ports: [{ port: 80 }] }))),
  sequence('a load balancer', post(services, service('s', { type: 'LoadBalancer', ports: [{ port: 80 }] }))),
  sequence('an external name', post(services, service('s', { type: 'ExternalName', externalName: 'example.com' }))),
  sequence(
    'a service becomes a node port',
    post(services, service('s')),
    mergePatch(`${services}/s`, { spec: { type: 'NodePort' } }),
    mergePatch(`${services}/s`, { spec: { type: 'ClusterIP' } }),
  ),
  sequence(
    'a secret of plain strings',
    post(secrets, secret('s', { stringData: { user: 'me' } })),
    get(`${secrets}/s`),
  ),
  sequence('a secret that is not base64', post(secrets, secret('s', { data: { user: '!' } }))),
  sequence(
    'a service account',
    post('/api/v1/namespaces/{ns}/serviceaccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'robot' },
    }),
  ),
  sequence(
    'an ingress',
    post('/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'i' },
      spec: {
        rules: [
          {
            host: 'example.com',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
            },
          },
        ],
      },
    }),
  ),
  sequence(
    'a network policy',
    post('/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'n' },
      spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] },
    }),
  ),
  sequence(
    'a role and its binding',
    post('/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'r' },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    }),
    post('/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'b' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'jane' },
        { kind: 'ServiceAccount', name: 'robot' },
      ],
    }),
  ),
  sequence(
    'a claim for storage',
    post('/api/v1/namespaces/{ns}/persistentvolumeclaims', {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'c' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    }),
  ),
  sequence(
    'a disruption budget',
    post('/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets', {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'p' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
    }),
  ),
  sequence(
    'an autoscaler',
    post('/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers', {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
    }),
  ),
  sequence(
    'a lease',
    post('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases', {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'l' },
      spec: { holderIdentity: 'me', leaseDurationSeconds: 15 },
    }),
  ),
];

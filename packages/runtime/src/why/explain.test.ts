import { type Application, checker, Explanation, type ManagedResource, type ResourceNode } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { type Evidence, explain } from './index.ts';

type Status = NonNullable<Application['status']>;
const revision = '9f3c1abd00000000000000000000000000000000';

function application(status: Status, spec: Partial<Application['spec']> = {}): Application {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'web', namespace: 'argocd' },
    spec: { project: 'default', destination: { namespace: 'web' }, ...spec },
    status: { sync: { status: 'Synced', revision }, health: { status: 'Healthy' }, ...status },
  };
}

const evidence = (parts: Partial<Evidence> & Pick<Evidence, 'application'>): Evidence => ({
  nodes: [],
  managed: [],
  ...parts,
});

const withCondition = (type: string, message: string) =>
  evidence({ application: application({ conditions: [{ type, message }] }) });

function withRefusal(message: string, kind = 'Deployment'): Evidence {
  // As Argo CD tells of it: a phase has every result, a type only hooks.
  const told = { status: 'SyncFailed', message, hookPhase: 'Failed', syncPhase: 'Sync' };
  const result = { group: 'apps', version: 'v1', kind, namespace: 'web', name: 'web', ...told };
  return evidence({
    application: application({
      sync: { status: 'OutOfSync', revision },
      operationState: {
        operation: { sync: { revision } },
        phase: 'Failed',
        message: 'one or more synchronization tasks completed unsuccessfully',
        startedAt: '2026-01-01T10:00:00Z',
        finishedAt: '2026-01-01T10:00:05Z',
        syncResult: { revision, resources: [result] },
      },
    }),
  });
}

const deployment: ResourceNode = {
  uid: 'd',
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  namespace: 'web',
  name: 'web',
  health: { status: 'Progressing', message: 'Waiting for rollout to finish: 1 of 2 updated' },
};
const pod = (message: string, reason = ''): ResourceNode => ({
  uid: 'p',
  version: 'v1',
  kind: 'Pod',
  namespace: 'web',
  name: 'web-7c9f-x2lmq',
  parentRefs: [{ group: 'apps', kind: 'Deployment', namespace: 'web', name: 'web', uid: 'd' }],
  images: ['registry.example/web:2.14.0'],
  health: { status: 'Degraded', message },
  ...(reason ? { info: [{ name: 'Status Reason', value: reason }] } : {}),
});
const withPod = (message: string, reason = '', more: Partial<Evidence> = {}) =>
  evidence({
    application: application({ health: { status: 'Progressing' } }),
    nodes: [deployment, pod(message, reason)],
    ...more,
  });

function withNode(kind: string, status: 'Degraded' | 'Progressing' | 'Suspended', message = ''): Evidence {
  const node = { uid: 'n', version: 'v1', kind, namespace: 'web', name: 'thing', health: { status, message } };
  return evidence({ application: application({ health: { status } }), nodes: [node] });
}

/** A cause, the evidence for it, and the sentence people get. */
const cases: [cause: string, given: Evidence, headline: string][] = [
  [
    'credentials-refused',
    withCondition('ComparisonError', 'authentication for repository https://git.example/x.git failed: 401'),
    'The repository refuses the credentials of the runtime.',
  ],
  [
    'revision-not-found',
    withCondition('ComparisonError', 'repository https://git.example/x.git has no revision "nope"; push it'),
    'The branch, tag or commit it follows does not exist in the repository.',
  ],
  [
    'repository-unreachable',
    withCondition('ComparisonError', 'repository https://git.example/x.git cannot be read: could not resolve host'),
    'The repository cannot be reached. What is deployed stays as it is.',
  ],
  [
    'cluster-unreachable',
    withCondition('ComparisonError', 'cluster https://10.0.0.1 cannot be reached: connect ECONNREFUSED'),
    'The target cluster cannot be reached.',
  ],
  [
    'path-not-found',
    withCondition('ComparisonError', 'dev: app path does not exist'),
    'The folder it deploys does not exist at this revision.',
  ],
  [
    'bad-manifest',
    withCondition('ComparisonError', 'dev/settings.yaml:4: missed comma between flow collection entries'),
    'A manifest cannot be read. Nothing was changed in the cluster.',
  ],
  [
    'bad-values-file',
    withCondition('ComparisonError', 'values-prod.yaml: values file does not exist'),
    'A values file of the chart cannot be used.',
  ],
  [
    'template-failed',
    withCondition(
      'ComparisonError',
      'template: web/templates/deploy.yaml:12:9: executing "x" at <.Values.a.b>: nil pointer',
    ),
    'The chart’s templates fail.',
  ],
  [
    'kustomize-failed',
    withCondition('ComparisonError', 'kustomize build failed: accumulating resources from base: missing'),
    'The Kustomize build fails.',
  ],
  [
    'unsupported-source',
    withCondition('ComparisonError', 'source.plugin: plugin is not supported yet'),
    'It uses something that the engine does not support.',
  ],
  [
    'project-forbids',
    withCondition('InvalidSpecError', "application repo https://x is not permitted in project 'team'"),
    'Its project does not allow it.',
  ],
  [
    'invalid-spec',
    withCondition('InvalidSpecError', 'spec.destination.server: is required'),
    'The Application itself is not valid.',
  ],
  [
    'would-delete-everything',
    withCondition('SyncError', 'auto-sync will wipe out all resources'),
    'Git has no resources for it any more; deleting everything needs your word.',
  ],
  ['comparison-failed', withCondition('ComparisonError', 'something nobody knows'), 'It cannot be compared with Git.'],
  ['namespace-missing', withRefusal('namespaces "web" not found'), 'The namespace web does not exist.'],
  [
    'namespace-terminating',
    withRefusal(
      'deployments.apps "web" is forbidden: unable to create new content in namespace web because it is being terminated',
    ),
    'The namespace web is being deleted.',
  ],
  [
    'crd-missing',
    withRefusal('no matches for kind "Rollout" in version "argoproj.io/v1alpha1"', 'Rollout'),
    'The cluster does not know the kind Rollout.',
  ],
  [
    'crd-missing',
    withRefusal(
      'The Kubernetes API could not find route.openshift.io/Route for requested resource web/web. Make sure the "Route" CRD is installed on the destination cluster.',
      'Route',
    ),
    'The cluster does not know the kind Route.',
  ],
  [
    'version-not-served',
    withRefusal(
      'The Kubernetes API could not find version "v1beta1" of policy/PodDisruptionBudget for requested resource web/web. Version "v1" of policy/PodDisruptionBudget is installed on the destination cluster.',
      'PodDisruptionBudget',
    ),
    'The cluster does not serve policy/PodDisruptionBudget in version v1beta1.',
  ],
  [
    'immutable-field',
    withRefusal(
      'Deployment.apps "web" is invalid: spec.selector: Invalid value: v1.LabelSelector{}: field is immutable',
    ),
    'Deployment web: spec.selector cannot be changed after creation.',
  ],
  [
    'quota-exceeded',
    withRefusal('deployments.apps "web" is forbidden: exceeded quota: team-quota, requested: pods=1'),
    'Deployment web would exceed the quota team-quota.',
  ],
  [
    'admission-denied',
    withRefusal('admission webhook "policy.kyverno.svc" denied the request: runAsNonRoot must be true'),
    'Deployment web was refused by the policy policy.kyverno.svc.',
  ],
  [
    'forbidden',
    withRefusal('deployments.apps is forbidden: User "system:serviceaccount:x:y" cannot create resource "deployments"'),
    'The runtime (system:serviceaccount:x:y) has no right to create Deployment.',
  ],
  [
    'apply-conflict',
    withRefusal('Apply failed with 1 conflict: conflict with "hpa-controller": .spec.replicas'),
    'Deployment web: a field belongs to hpa-controller.',
  ],
  [
    'shared-resource',
    withRefusal('Shared resource found: apps/Deployment web/web is part of applications a and b'),
    'Deployment web belongs to another application too.',
  ],
  [
    'invalid-object',
    withRefusal('Deployment.apps "web" is invalid: spec.template.spec.containers[0].name: Required value'),
    'Deployment web is not valid: spec.template.spec.containers[0].name.',
  ],
  [
    'too-large',
    withRefusal('metadata.annotations: Too long: must have at most 262144 bytes', 'ConfigMap'),
    'ConfigMap web is too large.',
  ],
  ['apply-failed', withRefusal('nobody knows'), 'Deployment web could not be applied.'],
  [
    'image-pull-failed',
    withPod('Back-off pulling image "registry.example/web:2.14.0"', 'ImagePullBackOff'),
    '1 pod cannot pull the image registry.example/web:2.14.0.',
  ],
  ['config-missing', withPod('secret "db" not found', 'CreateContainerConfigError'), '1 pod cannot be configured.'],
  ['volume-missing', withPod('pod has unbound immediate PersistentVolumeClaims'), '1 pod waits for a volume.'],
  ['unschedulable', withPod('0/3 nodes are available: 3 Insufficient cpu.'), '1 pod finds no node.'],
  ['out-of-memory', withPod('', 'OOMKilled'), '1 pod was killed: it used more memory than its limit.'],
  [
    'crash-loop',
    withPod('back-off 40s restarting failed container=web', 'CrashLoopBackOff'),
    '1 pod crashes again and again.',
  ],
  [
    'start-failed',
    withPod('exec: "server": executable file not found in $PATH', 'RunContainerError'),
    '1 pod cannot be started.',
  ],
  ['evicted', withPod('The node was low on resource: memory.', 'Evicted'), '1 pod was evicted from its node.'],
  [
    'probe-failing',
    withPod('Readiness probe failed: HTTP probe failed with statuscode: 503'),
    '1 pod does not pass its probe.',
  ],
  ['container-failed', withPod('container "web" failed with exit code 2'), '1 pod ended with an error.'],
  [
    'progress-deadline-exceeded',
    withNode('Deployment', 'Degraded', 'Deployment "thing" exceeded its progress deadline'),
    'Deployment thing made no progress within its deadline.',
  ],
  ['job-failed', withNode('Job', 'Degraded', 'Job has reached the specified backoff limit'), 'Job thing failed.'],
  ['volume-lost', withNode('PersistentVolumeClaim', 'Degraded'), 'PersistentVolumeClaim thing has lost its volume.'],
  ['autoscaler-blind', withNode('HorizontalPodAutoscaler', 'Degraded'), 'HorizontalPodAutoscaler thing cannot scale.'],
  ['child-application', withNode('Application', 'Degraded'), 'The application thing below it is degraded.'],
  ['resource-degraded', withNode('Certificate', 'Degraded', 'issuer not found'), 'Certificate thing is degraded.'],
  [
    'volume-pending',
    withNode('PersistentVolumeClaim', 'Progressing'),
    'PersistentVolumeClaim thing waits for a volume.',
  ],
  ['load-balancer-pending', withNode('Service', 'Progressing'), 'Service thing has no address yet.'],
  ['pending-deletion', withNode('ConfigMap', 'Progressing', 'Pending deletion'), 'ConfigMap thing is being deleted.'],
  ['rolling-out', withNode('Deployment', 'Progressing', '1 of 2'), 'Deployment thing is on its way.'],
  ['suspended', withNode('CronJob', 'Suspended'), 'CronJob thing is paused.'],
];

const isExplanation = checker(Explanation);

describe('explain', () => {
  it.each(cases)('knows %s', (cause, given, headline) => {
    const explanation = explain(given);
    expect(explanation).toMatchObject({ cause, headline });
    expect(isExplanation(explanation).ok).toBe(true);
    expect(explanation?.chain.length).toBeGreaterThan(0);
  });

  it('has nothing to say of what is green', () => {
    expect(explain(evidence({ application: application({}) }))).toBeUndefined();
  });

  it('walks from the workload to the words of the registry', () => {
    const message =
      'Back-off pulling image "registry.example/web:2.14.0": manifest unknown: registry.example/web:2.14.0';
    const explanation = explain(withPod(message, 'ErrImagePull'));
    expect(explanation?.actor).toBe('commit 9f3c1ab');
    expect(explanation?.chain.map(({ title }) => title)).toEqual([
      'Deployment web',
      'Pod web-7c9f-x2lmq',
      'Registry answered',
    ]);
    expect(explanation?.chain.at(-1)?.quote).toBe('manifest unknown: registry.example/web:2.14.0');
    expect(explanation?.chain[1]?.detail).toBe('ErrImagePull');
    expect(explanation?.remedies[0]).toEqual({ title: 'Revert the commit', act: 'revert' });
  });

  it('quotes the last log lines of a crash when it has them', () => {
    const logs = [{ pod: 'web-7c9f-x2lmq', container: 'web', lines: ['listening', 'panic: no database'] }];
    const explanation = explain(withPod('', 'CrashLoopBackOff', { logs }));
    expect(explanation?.chain.at(-1)).toEqual({ title: 'Last words', quote: 'listening\npanic: no database' });
  });

  it('finds in events what the tree does not say', () => {
    const about = { kind: 'Pod', namespace: 'web', name: 'web-7c9f-x2lmq' };
    const events = [{ reason: 'FailedMount', message: 'MountVolume.SetUp failed for volume "data"', object: about }];
    expect(explain(withPod('', 'ContainerCreating', { events }))?.cause).toBe('volume-missing');
  });

  it('says what was refused while the sync waits to try again', () => {
    const { application: refused } = withRefusal('namespaces "web" not found');
    const state = refused.status?.operationState;
    const message = 'one or more tasks completed unsuccessfully. Retrying attempt #2 at 10:00AM.';
    const operationState = state && { ...state, phase: 'Running' as const, message };
    const waiting = { ...refused, status: { ...refused.status, ...(operationState ? { operationState } : {}) } };
    expect(explain(evidence({ application: waiting }))?.cause).toBe('namespace-missing');
  });

  it('says what a hook did, and what a sync waits for', () => {
    const state = { operation: {}, startedAt: '2026-01-01T10:00:00Z' };
    const hook = {
      group: 'batch',
      version: 'v1',
      kind: 'Job',
      namespace: 'web',
      name: 'migrate',
      hookType: 'PreSync',
      hookPhase: 'Failed',
      syncPhase: 'PreSync',
      message: 'exit 1',
    };
    const failed = application({
      operationState: { ...state, phase: 'Failed', syncResult: { revision, resources: [hook] } },
    });
    expect(explain(evidence({ application: failed }))).toMatchObject({
      cause: 'hook-failed',
      headline: 'The PreSync hook Job migrate failed.',
    });
    const waiting = application({
      operationState: { ...state, phase: 'Running', message: 'waiting for healthy state of apps/Deployment/db' },
    });
    expect(explain(evidence({ application: waiting }))?.headline).toBe('The sync waits for apps/Deployment/db.');
    const stopped = application({ operationState: { ...state, phase: 'Failed', message: 'Operation terminated' } });
    expect(explain(evidence({ application: stopped }))?.cause).toBe('sync-terminated');
  });
});

function differing(manager: string): Evidence {
  const object = (replicas: number) => ({ apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas } });
  const managedFields = [
    { manager: 'argocd-controller', time: '2026-01-01T09:00:00Z', fieldsV1: { 'f:spec': { 'f:template': {} } } },
    { manager, time: '2026-01-01T10:00:00Z', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
  ];
  const managed: ManagedResource[] = [
    {
      group: 'apps',
      kind: 'Deployment',
      namespace: 'web',
      name: 'web',
      liveState: JSON.stringify({ ...object(5), metadata: { managedFields } }),
      normalizedLiveState: JSON.stringify(object(5)),
      predictedLiveState: JSON.stringify(object(2)),
    },
  ];
  const resources = [
    { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'web', name: 'web', status: 'OutOfSync' as const },
  ];
  return evidence({ application: application({ sync: { status: 'OutOfSync', revision }, resources }), managed });
}

describe('explain, out of sync', () => {
  it('names the controller that fights over a field, and since when', () => {
    expect(explain(differing('horizontal-pod-autoscaler'))).toMatchObject({
      cause: 'field-fought-over',
      headline: 'Deployment web: spec.replicas is also written by horizontal-pod-autoscaler.',
      actor: 'horizontal-pod-autoscaler',
      since: '2026-01-01T10:00:00Z',
      chain: [{ title: 'Deployment web' }, { title: 'spec.replicas', quote: 'in the cluster: 5\nin Git: 2' }],
    });
  });

  it('tells a change by hand from one that was not applied yet', () => {
    expect(explain(differing('kubectl-edit'))?.headline).toBe('Deployment web: spec.replicas was changed by hand.');
    expect(explain(differing('argocd-controller'))?.cause).toBe('not-applied-yet');
  });

  it('tells what is missing, what is to be pruned, and what waits for a person', () => {
    const status = { sync: { status: 'OutOfSync' as const, revision } };
    const resource = {
      version: 'v1',
      kind: 'ConfigMap',
      namespace: 'web',
      name: 'settings',
      status: 'OutOfSync' as const,
    };
    const managed = [{ kind: 'ConfigMap', namespace: 'web', name: 'settings', liveState: 'null' }];
    const missing = evidence({ application: application({ ...status, resources: [resource] }), managed });
    expect(explain(missing)?.headline).toBe('1 resource of Git is not in the cluster.');
    const extra = evidence({
      application: application({ ...status, resources: [{ ...resource, requiresPruning: true }] }),
    });
    expect(explain(extra)).toMatchObject({ cause: 'pruning-needed', remedies: [{ act: 'sync-with-prune' }] });
    expect(explain(evidence({ application: application(status) }))?.cause).toBe('waiting-for-sync');
    const automated = application(status, { syncPolicy: { automated: {} } });
    expect(explain(evidence({ application: automated }))?.cause).toBe('sync-pending');
  });
});

// The controllers, seen from outside: our client on the embedded cluster, over the real socket.
import { type RunningCluster, startCluster } from '@fairlead/cluster';
import { gvkOf, isNotFound, KubeClient, type KubeObject, listAt, loadKubeconfig, valueAt } from '@fairlead/kube';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

let cluster: RunningCluster;
let client: KubeClient;
beforeAll(async () => {
  const simulation = { pullMs: 20, readyMs: 20, terminateMs: 20, completeMs: 50, retryMs: 20 };
  cluster = await startCluster({ simulation, loadBalancer: true });
  client = new KubeClient(await loadKubeconfig(cluster.kubeconfig));
});
afterAll(async () => {
  await client.close();
  await cluster.stop();
});

let counter = 0;
async function newNamespace(): Promise<string> {
  const name = `work-${++counter}`;
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  return name;
}

const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 30_000, interval: 25 });
const read = (apiVersion: string, kind: string, namespace: string, name: string) =>
  client.get({ ...gvkOf({ apiVersion, kind }), namespace, name });
const podsIn = async (namespace: string) =>
  (await client.list({ apiVersion: 'v1', kind: 'Pod', namespace })).items.filter(
    ({ metadata }) => !metadata.deletionTimestamp,
  );
const conditionTypes = (object: KubeObject) =>
  listAt(object, 'status', 'conditions')
    .filter((condition) => valueAt(condition, 'status') === 'True')
    .map((condition) => valueAt(condition, 'type'));
const template = (annotations: Record<string, string> = {}, spec: object = {}) => ({
  metadata: { labels: { app: 'work' }, annotations },
  spec: { containers: [{ name: 'main', image: 'busybox:1' }], ...spec },
});

interface JobInput {
  readonly spec?: object;
  readonly annotations?: Record<string, string>;
  readonly restartPolicy?: string;
}
const job = (
  namespace: string,
  { spec = {}, annotations = {}, restartPolicy = 'Never' }: JobInput = {},
): KubeObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'work', namespace },
  spec: { ...spec, template: template(annotations, { restartPolicy }) },
});
const readJob = (namespace: string) => read('batch/v1', 'Job', namespace, 'work');

describe('Job', () => {
  it('runs as many pods as asked for, some at a time, and completes', async () => {
    const namespace = await newNamespace();
    await client.create(job(namespace, { spec: { completions: 5, parallelism: 2 } }));
    await until(async () => expect(conditionTypes(await readJob(namespace))).toContain('Complete'));
    const { status } = await readJob(namespace);
    expect(status).toMatchObject({ succeeded: 5, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
    expect(status).toHaveProperty('completionTime');
    expect(status).not.toHaveProperty('active');
    expect(conditionTypes(await readJob(namespace))).toEqual(['SuccessCriteriaMet', 'Complete']);
    const pods = await podsIn(namespace);
    expect(pods).toHaveLength(5);
    for (const pod of pods) {
      expect(valueAt(pod, 'status', 'phase')).toBe('Succeeded');
      expect(pod.metadata.finalizers ?? []).toEqual([]);
      expect(pod.metadata.labels).toMatchObject({ 'batch.kubernetes.io/job-name': 'work', app: 'work' });
    }
  });

  it('fails when more pods failed than the back-off limit allows', async () => {
    const namespace = await newNamespace();
    await client.create(job(namespace, { spec: { backoffLimit: 1 }, annotations: { 'fairlead.io/simulate': 'fail' } }));
    await until(async () => expect(conditionTypes(await readJob(namespace))).toEqual(['FailureTarget', 'Failed']));
    const { status } = await readJob(namespace);
    expect(status).toMatchObject({ failed: 2 });
    expect(listAt({ status }, 'status', 'conditions').at(-1)).toMatchObject({ reason: 'BackoffLimitExceeded' });
    const [pod] = await podsIn(namespace);
    expect(valueAt(pod, 'status', 'phase')).toBe('Failed');
    expect(listAt(pod, 'status', 'containerStatuses')[0]).toMatchObject({
      state: { terminated: { exitCode: 1, reason: 'Error' } },
    });
  });

  it('counts restarts of containers where pods restart them', async () => {
    const namespace = await newNamespace();
    const annotations = { 'fairlead.io/simulate': 'fail' };
    await client.create(job(namespace, { spec: { backoffLimit: 2 }, annotations, restartPolicy: 'OnFailure' }));
    await until(async () => expect(conditionTypes(await readJob(namespace))).toContain('Failed'));
    expect(await podsIn(namespace)).toEqual([]);
  });

  it('fails at its deadline and stops its pods', async () => {
    const namespace = await newNamespace();
    const annotations = { 'fairlead.io/run-seconds': '600' };
    await client.create(job(namespace, { spec: { activeDeadlineSeconds: 1 }, annotations }));
    await until(async () => expect(conditionTypes(await readJob(namespace))).toContain('Failed'));
    const failed = listAt(await readJob(namespace), 'status', 'conditions').at(-1);
    expect(failed).toMatchObject({ reason: 'DeadlineExceeded' });
    await until(async () => expect(await podsIn(namespace)).toEqual([]));
  });

  it('starts nothing while suspended, and starts when resumed', async () => {
    const namespace = await newNamespace();
    await client.create(job(namespace, { spec: { suspend: true } }));
    await until(async () => expect(conditionTypes(await readJob(namespace))).toEqual(['Suspended']));
    expect(await podsIn(namespace)).toEqual([]);
    const present = await readJob(namespace);
    await client.update({ ...present, spec: { ...(present['spec'] as object), suspend: false } });
    await until(async () => expect(conditionTypes(await readJob(namespace))).toContain('Complete'));
  });

  it('goes with its pods after its time to live', async () => {
    const namespace = await newNamespace();
    await client.create(job(namespace, { spec: { ttlSecondsAfterFinished: 0 } }));
    await until(() => expect(readJob(namespace)).rejects.toSatisfy(isNotFound));
    await until(async () => expect(await podsIn(namespace)).toEqual([]));
  });
});

describe('a pod that crashes again and again', () => {
  it('shows CrashLoopBackOff and counts its restarts', async () => {
    const namespace = await newNamespace();
    const { metadata, spec } = template({ 'fairlead.io/simulate': 'crash-loop' });
    await client.create({ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name: 'crash', namespace }, spec });
    await until(async () => {
      const [status] = listAt(await read('v1', 'Pod', namespace, 'crash'), 'status', 'containerStatuses');
      expect(status).toMatchObject({ ready: false, state: { waiting: { reason: 'CrashLoopBackOff' } } });
      expect(valueAt(status, 'restartCount')).toBeGreaterThanOrEqual(2);
      expect(status).toMatchObject({ lastState: { terminated: { exitCode: 1 } } });
    });
  });
});

describe('StatefulSet', () => {
  const files = { name: 'files', mountPath: '/files' };
  const set = (namespace: string, spec: object = {}): KubeObject => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace },
    spec: {
      replicas: 3,
      serviceName: 'db',
      selector: { matchLabels: { app: 'work' } },
      template: template({}, { containers: [{ name: 'main', image: 'busybox:1', volumeMounts: [files] }] }),
      volumeClaimTemplates: [
        {
          metadata: { name: 'files' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
      ...spec,
    },
  });
  const readSet = (namespace: string) => read('apps/v1', 'StatefulSet', namespace, 'db');
  const imagesIn = async (namespace: string) =>
    (await podsIn(namespace)).map((pod) => valueAt(listAt(pod, 'spec', 'containers')[0], 'image'));
  const isUp = async (namespace: string) =>
    until(async () =>
      expect((await readSet(namespace))['status']).toMatchObject({ readyReplicas: 3, updatedReplicas: 3 }),
    );
  async function setImage(namespace: string, image: string): Promise<void> {
    const present = await readSet(namespace);
    const next = template({}, { containers: [{ name: 'main', image }] });
    await client.update({ ...present, spec: { ...(present['spec'] as object), template: next } });
  }

  it('makes its pods in order, each with a bound claim', async () => {
    const namespace = await newNamespace();
    await client.create(set(namespace));
    await isUp(namespace);
    const pods = await podsIn(namespace);
    expect(pods.map(({ metadata }) => metadata.name)).toEqual(['db-0', 'db-1', 'db-2']);
    const versions = pods.map((pod) => Date.parse(String(valueAt(pod, 'status', 'startTime'))));
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    const claim = await read('v1', 'PersistentVolumeClaim', namespace, 'files-db-1');
    expect(claim['status']).toEqual({ phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } });
    expect(valueAt(claim, 'spec', 'storageClassName')).toBe('standard');
    const volume = String(valueAt(claim, 'spec', 'volumeName'));
    expect(valueAt(await read('v1', 'PersistentVolume', '', volume), 'status', 'phase')).toBe('Bound');
    await client.delete({ ...gvkOf(claim), namespace, name: 'files-db-1' });
    // What a pod uses stays until the pod has gone.
    const { deletionTimestamp } = (await read('v1', 'PersistentVolumeClaim', namespace, 'files-db-1')).metadata;
    expect(deletionTimestamp).toBeDefined();
    const setRef = { group: 'apps', version: 'v1', kind: 'StatefulSet', namespace, name: 'db' };
    await client.patch(setRef, { spec: { replicas: 1 } }, { type: 'merge' });
    await until(() => expect(read('v1', 'PersistentVolume', '', volume)).rejects.toSatisfy(isNotFound));
  });

  it('updates from the highest pod down to the partition, and all of them without one', async () => {
    const namespace = await newNamespace();
    await client.create(set(namespace, { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } }));
    await isUp(namespace);
    const before = valueAt(await readSet(namespace), 'status', 'currentRevision');
    await setImage(namespace, 'busybox:2');
    await until(async () => {
      expect((await readSet(namespace))['status']).toMatchObject({
        readyReplicas: 3,
        updatedReplicas: 1,
        currentReplicas: 2,
      });
    });
    expect(await imagesIn(namespace)).toEqual(['busybox:1', 'busybox:1', 'busybox:2']);
    const { status } = await readSet(namespace);
    expect(valueAt(status, 'currentRevision')).toBe(before);
    expect(valueAt(status, 'updateRevision')).not.toBe(before);
    const present = await readSet(namespace);
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 0 } };
    await client.update({ ...present, spec: { ...(present['spec'] as object), updateStrategy } });
    await isUp(namespace);
    expect(await imagesIn(namespace)).toEqual(['busybox:2', 'busybox:2', 'busybox:2']);
    const done = (await readSet(namespace))['status'];
    expect(valueAt(done, 'currentRevision')).toBe(valueAt(done, 'updateRevision'));
  });

  it('leaves updating to whoever deletes pods when the strategy is OnDelete', async () => {
    const namespace = await newNamespace();
    await client.create(set(namespace, { updateStrategy: { type: 'OnDelete' }, podManagementPolicy: 'Parallel' }));
    await isUp(namespace);
    await setImage(namespace, 'busybox:2');
    await until(async () => {
      expect((await readSet(namespace))['status']).toMatchObject({ observedGeneration: 2 });
    });
    await client.delete({ ...gvkOf({ apiVersion: 'v1', kind: 'Pod' }), namespace, name: 'db-1' });
    await until(async () => expect(await imagesIn(namespace)).toEqual(['busybox:1', 'busybox:2', 'busybox:1']));
  });
});

describe('the load balancer', () => {
  const status = async (apiVersion: string, kind: string, namespace: string) =>
    (await read(apiVersion, kind, namespace, 'w'))['status'];

  it('gives services and ingresses an address, and takes it back with the type', async () => {
    const namespace = await newNamespace();
    const metadata = { name: 'w', namespace };
    const spec = { type: 'LoadBalancer', ports: [{ port: 80 }] };
    await client.create({ apiVersion: 'v1', kind: 'Service', metadata, spec });
    const defaultBackend = { service: { name: 'w', port: { number: 80 } } };
    await client.create({ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata, spec: { defaultBackend } });
    const ip = '192.168.49.2';
    const loadBalancer = { ingress: [{ ip, ipMode: 'VIP' }] };
    await until(async () => expect(await status('v1', 'Service', namespace)).toEqual({ loadBalancer }));
    await until(async () =>
      expect(await status('networking.k8s.io/v1', 'Ingress', namespace)).toEqual({
        loadBalancer: { ingress: [{ ip }] },
      }),
    );
    const service = await read('v1', 'Service', namespace, 'w');
    await client.update({ ...service, spec: { ...(service['spec'] as object), type: 'ClusterIP' } });
    await until(async () => expect(await status('v1', 'Service', namespace)).toEqual({ loadBalancer: {} }));
  });
});

describe('ReplicationController', () => {
  it('runs the pods of its template, and takes in those that its labels select', async () => {
    const namespace = await newNamespace();
    const orphan = { name: 'orphan', namespace, labels: { app: 'work' } };
    await client.create({ apiVersion: 'v1', kind: 'Pod', metadata: orphan, spec: template().spec });
    const spec = { replicas: 3, template: template() };
    const metadata = { name: 'old', namespace };
    await client.create({ apiVersion: 'v1', kind: 'ReplicationController', metadata, spec });
    const readController = () => read('v1', 'ReplicationController', namespace, 'old');
    await until(async () =>
      expect((await readController())['status']).toMatchObject({ replicas: 3, readyReplicas: 3, availableReplicas: 3 }),
    );
    expect((await podsIn(namespace)).map((pod) => pod.metadata.name)).toContain('orphan');
    const present = await readController();
    await client.update({ ...present, spec: { ...(present['spec'] as object), replicas: 1 } });
    await until(async () => expect((await readController())['status']).toMatchObject({ replicas: 1 }));
  });
});

describe('DaemonSet', () => {
  it('runs one pod per node, and replaces it when the template changes', async () => {
    const namespace = await newNamespace();
    const spec = { selector: { matchLabels: { app: 'work' } }, template: template() };
    await client.create({ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'agent', namespace }, spec });
    const readSet = () => read('apps/v1', 'DaemonSet', namespace, 'agent');
    const up = {
      desiredNumberScheduled: 1,
      currentNumberScheduled: 1,
      numberReady: 1,
      numberAvailable: 1,
      updatedNumberScheduled: 1,
    };
    await until(async () => expect((await readSet())['status']).toMatchObject(up));
    await client.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'second' } });
    await until(async () => expect((await readSet())['status']).toMatchObject({ numberReady: 2 }));
    const nodes = (await podsIn(namespace)).map((pod) => String(valueAt(pod, 'spec', 'nodeName')));
    expect(nodes.sort()).toEqual(['fairlead-node', 'second']);
    await client.delete({ ...gvkOf({ apiVersion: 'v1', kind: 'Node' }), name: 'second' });
    await until(async () => expect((await readSet())['status']).toMatchObject({ ...up, numberMisscheduled: 0 }));
    const present = await readSet();
    const next = template({}, { containers: [{ name: 'main', image: 'busybox:2' }] });
    await client.update({ ...present, spec: { ...(present['spec'] as object), template: next } });
    await until(async () => expect((await readSet())['status']).toMatchObject({ ...up, observedGeneration: 2 }));
    const [pod] = await podsIn(namespace);
    expect(listAt(pod, 'spec', 'containers')[0]).toMatchObject({ image: 'busybox:2' });
  });
});

describe('EndpointSlice', () => {
  it('shows the pods behind a service and goes with it', async () => {
    const namespace = await newNamespace();
    const slices = async () =>
      (await client.list({ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', namespace })).items;
    const ports = [{ name: 'http', port: 80, targetPort: 8080 }];
    const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace } };
    await client.create({ ...service, spec: { selector: { app: 'work' }, ports } });
    const { metadata, spec } = template();
    await client.create({ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name: 'one', namespace }, spec });
    await until(async () => {
      const [slice] = await slices();
      expect(slice?.metadata.labels).toMatchObject({ 'kubernetes.io/service-name': 'web' });
      const conditions = { ready: true, serving: true, terminating: false };
      expect(slice?.['endpoints']).toMatchObject([{ conditions, targetRef: { kind: 'Pod', name: 'one' } }]);
      expect(slice?.['ports']).toEqual([{ name: 'http', port: 8080, protocol: 'TCP' }]);
    });
    await client.delete({ ...gvkOf(service), namespace, name: 'web' });
    await until(async () => expect(await slices()).toEqual([]));
  });
});

describe('CronJob', () => {
  const cronJob = (namespace: string, spec: object = {}): KubeObject => ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick', namespace },
    spec: {
      schedule: '* * * * *',
      suspend: true,
      jobTemplate: { spec: { template: template({}, { restartPolicy: 'Never' }) } },
      ...spec,
    },
  });
  const readCron = (namespace: string) => read('batch/v1', 'CronJob', namespace, 'tick');
  const jobsIn = async (namespace: string) =>
    (await client.list({ apiVersion: 'batch/v1', kind: 'Job', namespace })).items;

  it('starts the latest run that is due, and tells when that was', async () => {
    const namespace = await newNamespace();
    // Many runs are due, and it sleeps until told otherwise: so the test need not wait for a minute to end.
    const created = await client.create(cronJob(namespace));
    const lastScheduleTime = '2026-01-01T00:00:00Z';
    await client.updateStatus({ ...created, status: { lastScheduleTime } });
    const present = await readCron(namespace);
    expect(await jobsIn(namespace)).toEqual([]);
    await client.update({ ...present, spec: { ...(present['spec'] as object), suspend: false } });
    await until(async () => expect((await readCron(namespace))['status']).toHaveProperty('lastSuccessfulTime'));
    const [first] = await jobsIn(namespace);
    const name = String(first?.metadata.name);
    expect(name).toMatch(/^tick-\d+$/);
    const scheduled = new Date(Number(name.slice('tick-'.length)) * 60_000).toISOString().replace('.000Z', 'Z');
    expect(first?.metadata.annotations).toMatchObject({ 'batch.kubernetes.io/cronjob-scheduled-timestamp': scheduled });
    expect(Date.parse(String(valueAt(await readCron(namespace), 'status', 'lastScheduleTime')))).toBeGreaterThanOrEqual(
      Date.parse(scheduled),
    );
  });
});

describe('ReplicaSet', () => {
  it('takes in pods without an owner, and lets go of those whose labels change', async () => {
    const namespace = await newNamespace();
    const { metadata, spec } = template();
    await client.create({ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name: 'orphan', namespace }, spec });
    await client.create({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web', namespace },
      spec: { replicas: 2, selector: { matchLabels: { app: 'work' } }, template: template() },
    });
    await until(async () =>
      expect((await read('apps/v1', 'ReplicaSet', namespace, 'web'))['status']).toMatchObject({ readyReplicas: 2 }),
    );
    expect(await podsIn(namespace)).toHaveLength(2);
    const orphan = await read('v1', 'Pod', namespace, 'orphan');
    expect(orphan.metadata.ownerReferences).toMatchObject([{ kind: 'ReplicaSet', name: 'web', controller: true }]);
    await client.patch(
      { ...gvkOf(orphan), namespace, name: 'orphan' },
      { metadata: { labels: { app: 'other' } } },
      { type: 'merge' },
    );
    await until(async () => expect(await podsIn(namespace)).toHaveLength(3));
    expect((await read('v1', 'Pod', namespace, 'orphan')).metadata.ownerReferences ?? []).toEqual([]);
  });
});

// The controllers, seen from outside: our client on the embedded cluster, over the real socket.
import { type RunningCluster, startCluster } from '@fairlead/cluster';
import { gvkOf, isNotFound, KubeClient, type KubeObject, listAt, loadKubeconfig, valueAt } from '@fairlead/kube';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

let cluster: RunningCluster;
let client: KubeClient;
beforeAll(async () => {
  const simulation = { pullMs: 20, readyMs: 20, terminateMs: 20, completeMs: 50, retryMs: 20 };
  cluster = await startCluster({ simulation });
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

const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 25 });
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

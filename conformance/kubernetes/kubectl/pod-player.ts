// A real control plane without a kubelet leaves its pods pending. This plays scheduler and kubelet over the API: pods are
// bound to one node, run, become ready (or complete, by their restart policy), and go when they are deleted.
import { KubeClient, type KubeObject, listAt, loadKubeconfig, refOf, stringAt, valueAt } from '@fairlead/kube';

const node: KubeObject = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'fairlead-node',
    labels: { 'kubernetes.io/hostname': 'fairlead-node', 'kubernetes.io/os': 'linux' },
  },
};

export async function playPods(kubeconfig: string): Promise<{ stop(): Promise<void> }> {
  const client = new KubeClient(await loadKubeconfig(kubeconfig));
  await client.create(node);
  await setStatus(client, node, nodeStatus());
  const stopping = new AbortController();
  const done = (async () => {
    while (!stopping.signal.aborted) {
      const { items } = await client.list({ apiVersion: 'v1', kind: 'Pod' });
      for (const pod of items) await step(client, pod).catch(() => undefined); // it changed meanwhile; the next round sees how
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await done;
      await client.close();
    },
  };
}

const setStatus = (client: KubeClient, object: KubeObject, status: object) =>
  client.patch(refOf(object), { status }, { type: 'merge', subresource: 'status' });

async function step(client: KubeClient, pod: KubeObject): Promise<void> {
  const { name, namespace, deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  const phase = stringAt(pod, 'status', 'phase');
  if (deletionTimestamp) {
    if (deletionGracePeriodSeconds !== 0) await client.delete(refOf(pod), { gracePeriodSeconds: 0 });
    return;
  }
  if (phase === 'Succeeded' || phase === 'Failed') return;
  if (!stringAt(pod, 'spec', 'nodeName')) {
    const target = { kind: 'Node', name: node.metadata.name };
    const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target };
    await client.raw({ method: 'POST', path: `/api/v1/namespaces/${namespace}/pods/${name}/binding`, body });
    return;
  }
  const isReady = listAt(pod, 'status', 'conditions').some(
    (condition) => valueAt(condition, 'type') === 'Ready' && valueAt(condition, 'status') === 'True',
  );
  if (isReady && valueAt(pod, 'spec', 'restartPolicy') === 'Always') return;
  await setStatus(client, pod, podStatus(pod, { hasEnded: isReady }));
}

/** Ready first; what is not to be restarted ends in the next round, well or by its annotation badly. */
function podStatus(pod: KubeObject, { hasEnded }: { hasEnded: boolean }): object {
  const isFailing = pod.metadata.annotations?.['fairlead.io/simulate'] === 'fail';
  const now = new Date().toISOString().replace(/\.\d+/, '');
  const condition = (type: string, isTrue: boolean) => ({
    type,
    status: isTrue ? 'True' : 'False',
    lastProbeTime: null,
    lastTransitionTime: now,
  });
  const ended = {
    exitCode: isFailing ? 1 : 0,
    reason: isFailing ? 'Error' : 'Completed',
    startedAt: now,
    finishedAt: now,
  };
  return {
    phase: hasEnded ? (isFailing ? 'Failed' : 'Succeeded') : 'Running',
    hostIP: '192.168.49.2',
    podIP: '10.244.0.2',
    podIPs: [{ ip: '10.244.0.2' }],
    startTime: now,
    conditions: [
      ...['PodReadyToStartContainers', 'Initialized', 'PodScheduled'].map((type) => condition(type, true)),
      ...['Ready', 'ContainersReady'].map((type) => condition(type, !hasEnded)),
    ],
    containerStatuses: listAt(pod, 'spec', 'containers').map((container) => ({
      name: valueAt(container, 'name'),
      image: valueAt(container, 'image'),
      imageID: '',
      ready: !hasEnded,
      started: !hasEnded,
      restartCount: 0,
      lastState: {},
      state: hasEnded ? { terminated: ended } : { running: { startedAt: now } },
    })),
  };
}

const nodeStatus = () => ({
  capacity: { cpu: '8', memory: '16Gi', pods: '110' },
  allocatable: { cpu: '8', memory: '16Gi', pods: '110' },
  addresses: [{ type: 'InternalIP', address: '192.168.49.2' }],
  conditions: [
    {
      type: 'Ready',
      status: 'True',
      reason: 'KubeletReady',
      message: 'kubelet is posting ready status',
      lastHeartbeatTime: new Date().toISOString(),
      lastTransitionTime: new Date().toISOString(),
    },
  ],
});

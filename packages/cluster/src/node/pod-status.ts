// The statuses a pod passes through. Pure: time and addresses are given.
import { sha256Hex } from '@fairlead/base';
import { isRecord, type KubeObject, listAt, numberAt, recordAt, stringAt } from '@fairlead/kube/object';
import { nodeAddress } from './node-object.ts';
import { isMissingImage } from './pod-steps.ts';

type Status = Record<string, unknown>;

const containersOf = (pod: KubeObject) => listAt(pod, 'spec', 'containers').filter(isRecord);
const statusesOf = (pod: KubeObject) => listAt(pod, 'status', 'containerStatuses').filter(isRecord);

function conditions(pod: KubeObject, wanted: Record<string, boolean>, now: string): readonly Status[] {
  const before = listAt(pod, 'status', 'conditions').filter(isRecord);
  const entries = Object.entries(wanted).map(([type, isTrue]) => {
    const status = isTrue ? 'True' : 'False';
    const old = before.find((condition) => condition['type'] === type);
    if (old?.['status'] === status) return old;
    const why =
      isTrue || type === 'PodScheduled' ? {} : { reason: 'ContainersNotReady', message: notReadyMessage(pod) };
    return { type, status, lastProbeTime: null, lastTransitionTime: now, ...why };
  });
  return [...before.filter(({ type }) => !(String(type) in wanted)), ...entries];
}

const notReadyMessage = (pod: KubeObject) =>
  `containers with unready status: [${containersOf(pod)
    .map(({ name }) => name)
    .join(' ')}]`;

export function scheduledStatus(pod: KubeObject, now: string): Status {
  return { ...recordAt(pod, 'status'), conditions: conditions(pod, { PodScheduled: true }, now) };
}

export function acceptedStatus(pod: KubeObject, { now, podIp }: { now: string; podIp: string }): Status {
  return {
    ...recordAt(pod, 'status'),
    phase: 'Pending',
    conditions: conditions(
      pod,
      { PodReadyToStartContainers: true, Initialized: true, Ready: false, ContainersReady: false, PodScheduled: true },
      now,
    ),
    hostIP: nodeAddress,
    hostIPs: [{ ip: nodeAddress }],
    podIP: podIp,
    podIPs: [{ ip: podIp }],
    startTime: now,
    containerStatuses: containersOf(pod).map((container) => waiting(container, 'ContainerCreating')),
  };
}

function waiting(container: Record<string, unknown>, reason: string, message?: string): Status {
  return {
    name: container['name'],
    image: container['image'],
    imageID: '',
    ready: false,
    started: false,
    restartCount: 0,
    lastState: {},
    state: { waiting: { reason, ...(message === undefined ? {} : { message }) } },
  };
}

function running(pod: KubeObject, container: Record<string, unknown>, now: string): Status {
  const image = String(container['image']);
  return {
    name: container['name'],
    image,
    imageID: `${image.replace(/[:@][^/]*$/, '')}@sha256:${sha256Hex(image)}`,
    containerID: `simulated://${sha256Hex(`${pod.metadata.uid}/${String(container['name'])}`)}`,
    ready: false,
    started: true,
    restartCount: 0,
    lastState: {},
    state: { running: { startedAt: now } },
  };
}

/** The reference a runtime would ask the registry for. */
export function qualifiedImage(image: string): string {
  const [first = ''] = image.split('/');
  const hasHost = image.includes('/') && (first.includes('.') || first.includes(':') || first === 'localhost');
  const path = hasHost ? image : `docker.io/${image.includes('/') ? '' : 'library/'}${image}`;
  return /[:@][^/]*$/.test(path.slice(path.lastIndexOf('/'))) ? path : `${path}:latest`;
}

export function pullError(image: string): string {
  const reference = qualifiedImage(image);
  return `rpc error: code = NotFound desc = failed to pull and unpack image "${reference}": failed to resolve reference "${reference}": ${reference}: not found`;
}

/** After the pull: containers whose image is there run, the others fail. */
export function startedStatus(pod: KubeObject, now: string): Status {
  const containerStatuses = containersOf(pod).map((container) => {
    const image = stringAt(container, 'image') ?? '';
    return isMissingImage(image) ? waiting(container, 'ErrImagePull', pullError(image)) : running(pod, container, now);
  });
  const isRunning = containerStatuses.every((status) => isRecord(recordAt(status, 'state')['running']));
  return { ...recordAt(pod, 'status'), phase: isRunning ? 'Running' : 'Pending', containerStatuses };
}

export function backedOffStatus(pod: KubeObject): Status {
  const containerStatuses = containersOf(pod).map((container, index) => {
    const image = stringAt(container, 'image') ?? '';
    const present = statusesOf(pod)[index];
    if (!isMissingImage(image)) return present;
    return waiting(
      container,
      'ImagePullBackOff',
      `Back-off pulling image "${image}": ErrImagePull: ${pullError(image)}`,
    );
  });
  return { ...recordAt(pod, 'status'), containerStatuses };
}

export function readyStatus(pod: KubeObject, now: string): Status {
  return {
    ...recordAt(pod, 'status'),
    phase: 'Running',
    conditions: conditions(pod, { Ready: true, ContainersReady: true }, now),
    containerStatuses: statusesOf(pod).map((status) => ({ ...status, ready: true })),
  };
}

function terminated(status: Status, { now, exitCode }: { now: string; exitCode: number }): Status {
  const startedAt = stringAt(status, 'state', 'running', 'startedAt');
  const reason = exitCode === 0 ? 'Completed' : 'Error';
  return { exitCode, reason, startedAt, finishedAt: now, containerID: status['containerID'] };
}

/** The containers have ended for good. */
export function completedStatus(pod: KubeObject, { now, exitCode }: { now: string; exitCode: number }): Status {
  const containerStatuses = statusesOf(pod).map((status) => ({
    ...status,
    ready: false,
    started: false,
    state: { terminated: terminated(status, { now, exitCode }) },
  }));
  return {
    ...recordAt(pod, 'status'),
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    conditions: conditions(pod, { Ready: false, ContainersReady: false }, now),
    containerStatuses,
  };
}

/** The containers have ended and will be started again. */
export function crashedStatus(pod: KubeObject, now: string): Status {
  return { ...completedStatus(pod, { now, exitCode: 1 }), phase: 'Running' };
}

export function crashBackedOffStatus(pod: KubeObject, delayMs: number): Status {
  const { namespace, name, uid } = pod.metadata;
  const containerStatuses = statusesOf(pod).map((status) => {
    const message = `back-off ${goDuration(delayMs)} restarting failed container=${String(status['name'])} pod=${name}_${namespace}(${uid})`;
    return { ...status, lastState: status['state'], state: { waiting: { reason: 'CrashLoopBackOff', message } } };
  });
  return { ...recordAt(pod, 'status'), containerStatuses };
}

/** Go's way to write a duration: `10s`, `1m20s`. */
function goDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

export function restartedStatus(pod: KubeObject, now: string): Status {
  const containerStatuses = containersOf(pod).map((container, index) => {
    const before = statusesOf(pod)[index] ?? {};
    const state = recordAt(before, 'state');
    return {
      ...running(pod, container, now),
      restartCount: (numberAt(before, 'restartCount') ?? 0) + 1,
      lastState: isRecord(state['terminated']) ? state : recordAt(before, 'lastState'),
    };
  });
  return { ...recordAt(pod, 'status'), containerStatuses };
}

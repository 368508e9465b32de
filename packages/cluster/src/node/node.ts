// The simulated node: scheduler and kubelet in one. It runs nothing; it makes pods look and behave, over the API, like
// pods that run. One timer per pod that is on its way, none for pods that have arrived.
import { type Clock, errorMessage, type Logger, toKubeTime } from '@fairlead/base';
import { isRecord, type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube/object';
import type { EventInput, EventRecorder } from '../events/index.ts';
import { type Objects, StatusError, type Target } from '../objects/index.ts';
import type { ResourceType } from '../registry/index.ts';
import { assignedNode } from './assigned-node.ts';
import { nodeName } from './node-object.ts';
import {
  acceptedStatus,
  backedOffStatus,
  completedStatus,
  crashBackedOffStatus,
  crashedStatus,
  pullError,
  readyStatus,
  restartedStatus,
  scheduledStatus,
  startedStatus,
} from './pod-status.ts';
import {
  crashDelayMs,
  defaultTimes,
  missingImages,
  nextStep,
  type SimulationTimes,
  type StepName,
  simulationOf,
} from './pod-steps.ts';

interface NodeDeps {
  readonly objects: Objects;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly log: Logger;
  readonly times: Partial<SimulationTimes>;
}

const retryMs = 1000;

export function startNode(deps: NodeDeps): { stop(): Promise<void> } {
  const node = new SimulatedNode(deps);
  const { store } = deps.objects;
  const unsubscribe = store.subscribe('pods', ({ type, stored }) => node.look(stored.object, type === 'DELETED'));
  for (const { object } of store.collection('pods').scan()) node.look(object, false);
  return {
    stop: () => {
      unsubscribe();
      return node.stop();
    },
  };
}

class SimulatedNode {
  readonly #deps: NodeDeps;
  readonly #times: SimulationTimes;
  readonly #podType: ResourceType;
  /** What is about to happen, by the pod's uid. */
  readonly #pending = new Map<string, { step: StepName; cancel: () => void }>();
  readonly #working = new Set<Promise<void>>();
  #nextIp = 0;

  constructor(deps: NodeDeps) {
    const podType = deps.objects.registry.findKind('', 'v1', 'Pod');
    if (!podType) throw new Error('the registry has no Pod');
    this.#deps = deps;
    this.#times = { ...defaultTimes, ...deps.times };
    this.#podType = podType;
    this.#nextIp = deps.objects.store.collection('pods').size;
  }

  look(pod: KubeObject, isGone: boolean): void {
    const { uid = '' } = pod.metadata;
    const pending = this.#pending.get(uid);
    const step = isGone ? undefined : nextStep(pod, this.#times);
    if (pending && pending.step === step?.name) return;
    pending?.cancel();
    this.#pending.delete(uid);
    if (step) this.#arm(pod, step.name, step.afterMs);
  }

  async stop(): Promise<void> {
    for (const { cancel } of this.#pending.values()) cancel();
    this.#pending.clear();
    await Promise.all(this.#working);
  }

  #arm(pod: KubeObject, step: StepName, afterMs: number): void {
    const { uid = '' } = pod.metadata;
    const cancel = this.#deps.clock.after(afterMs, () => {
      this.#pending.delete(uid);
      const work = this.#take(uid, step);
      this.#working.add(work);
      void work.finally(() => this.#working.delete(work));
    });
    this.#pending.set(uid, { step, cancel });
  }

  /** Never rejects: what fails is tried again from the pod's present state. */
  async #take(uid: string, step: StepName): Promise<void> {
    const pod = this.#deps.objects.store.byUid(uid)?.object;
    if (!pod || nextStep(pod, this.#times)?.name !== step) return;
    try {
      await this.#perform(pod, step);
    } catch (error) {
      const isGone = error instanceof StatusError && error.status === 404;
      if (isGone) return;
      this.#deps.log.warn({ pod: pod.metadata.name, step, error: errorMessage(error) }, 'pod step failed, will retry');
      if (!this.#pending.has(uid)) this.#arm(pod, step, retryMs);
    }
  }

  async #perform(pod: KubeObject, step: StepName): Promise<void> {
    const now = toKubeTime(this.#deps.clock.now());
    switch (step) {
      case 'schedule':
        return this.#schedule(pod, now);
      case 'accept':
        return this.#accept(pod, now);
      case 'start':
        return this.#start(pod, now);
      case 'ready':
        return this.#setStatus(pod, (present) => readyStatus(present, now));
      case 'back-off':
        return this.#backOff(pod);
      case 'complete':
        return this.#complete(pod, now);
      case 'crash':
        return this.#setStatus(pod, (present) => crashedStatus(present, now));
      case 'crash-back-off':
        return this.#crashBackOff(pod);
      case 'restart':
        return this.#restart(pod, now);
      case 'terminate':
        return this.#terminate(pod);
    }
  }

  async #schedule(pod: KubeObject, now: string): Promise<void> {
    const { objects } = this.#deps;
    const target = this.#targetOf(pod);
    const chosen = assignedNode(pod) || nodeName;
    const bind = (present: KubeObject) => ({ ...present, spec: { ...recordAt(present, 'spec'), nodeName: chosen } });
    await objects.update(target, bind, { manager: 'kube-scheduler', subresource: 'binding' });
    const { namespace, name } = pod.metadata;
    const message = `Successfully assigned ${namespace}/${name} to ${chosen}`;
    this.#record(pod, { type: 'Normal', reason: 'Scheduled', message, component: 'default-scheduler' });
    await this.#setStatus(pod, (present) => scheduledStatus(present, now), 'kube-scheduler');
  }

  async #accept(pod: KubeObject, now: string): Promise<void> {
    const number = 2 + (this.#nextIp++ % 65_000);
    const podIp = `10.244.${number >> 8}.${number & 255}`;
    await this.#setStatus(pod, (present) => acceptedStatus(present, { now, podIp }));
    for (const image of imagesOf(pod)) {
      this.#record(pod, {
        type: 'Normal',
        reason: 'Pulling',
        message: `Pulling image "${image}"`,
        component: 'kubelet',
      });
    }
  }

  async #start(pod: KubeObject, now: string): Promise<void> {
    await this.#setStatus(pod, (present) => startedStatus(present, now));
    const missing = missingImages(pod);
    for (const container of listAt(pod, 'spec', 'containers').filter(isRecord)) {
      const image = stringAt(container, 'image') ?? '';
      const fieldPath = `spec.containers{${String(container['name'])}}`;
      const say = (type: 'Normal' | 'Warning', reason: string, message: string) =>
        this.#record(pod, { type, reason, message, component: 'kubelet', fieldPath });
      if (missing.includes(image)) {
        say('Warning', 'Failed', `Failed to pull image "${image}": ${pullError(image)}`);
        say('Warning', 'Failed', 'Error: ErrImagePull');
      } else {
        const ms = this.#times.pullMs;
        say('Normal', 'Pulled', `Successfully pulled image "${image}" in ${ms}ms (${ms}ms including waiting)`);
        say('Normal', 'Created', `Created container: ${String(container['name'])}`);
        say('Normal', 'Started', `Started container ${String(container['name'])}`);
      }
    }
  }

  async #backOff(pod: KubeObject): Promise<void> {
    await this.#setStatus(pod, backedOffStatus);
    for (const image of missingImages(pod)) {
      this.#record(pod, {
        type: 'Normal',
        reason: 'BackOff',
        message: `Back-off pulling image "${image}"`,
        component: 'kubelet',
      });
      this.#record(pod, {
        type: 'Warning',
        reason: 'Failed',
        message: 'Error: ImagePullBackOff',
        component: 'kubelet',
      });
    }
  }

  async #complete(pod: KubeObject, now: string): Promise<void> {
    const exitCode = simulationOf(pod).isFailing ? 1 : 0;
    await this.#setStatus(pod, (present) => completedStatus(present, { now, exitCode }));
  }

  async #crashBackOff(pod: KubeObject): Promise<void> {
    const delayMs = crashDelayMs(pod, this.#times);
    await this.#setStatus(pod, (present) => crashBackedOffStatus(present, delayMs));
    const { namespace, name, uid } = pod.metadata;
    for (const container of namesOf(pod)) {
      const message = `Back-off restarting failed container ${container} in pod ${name}_${namespace}(${uid})`;
      const fieldPath = `spec.containers{${container}}`;
      this.#record(pod, { type: 'Warning', reason: 'BackOff', message, component: 'kubelet', fieldPath });
    }
  }

  async #restart(pod: KubeObject, now: string): Promise<void> {
    await this.#setStatus(pod, (present) => restartedStatus(present, now));
    for (const container of namesOf(pod)) {
      const fieldPath = `spec.containers{${container}}`;
      const message = `Started container ${container}`;
      this.#record(pod, { type: 'Normal', reason: 'Started', message, component: 'kubelet', fieldPath });
    }
  }

  async #terminate(pod: KubeObject): Promise<void> {
    const { uid, finalizers = [], deletionGracePeriodSeconds = 0 } = pod.metadata;
    // Held by finalizers and already told: only their owners can let it go.
    if (finalizers.length > 0 && deletionGracePeriodSeconds === 0) return;
    for (const container of listAt(pod, 'spec', 'containers').filter(isRecord)) {
      const message = `Stopping container ${String(container['name'])}`;
      this.#record(pod, { type: 'Normal', reason: 'Killing', message, component: 'kubelet' });
    }
    await this.#deps.objects.delete(this.#targetOf(pod), { gracePeriodSeconds: 0, preconditions: { uid } });
  }

  async #setStatus(
    pod: KubeObject,
    status: (present: KubeObject) => Record<string, unknown>,
    manager = 'kubelet',
  ): Promise<void> {
    const change = (present: KubeObject) => ({ ...present, status: status(present) });
    await this.#deps.objects.update(this.#targetOf(pod), change, { manager, subresource: 'status' });
  }

  #targetOf({ metadata }: KubeObject): Target {
    return { type: this.#podType, namespace: metadata.namespace ?? '', name: metadata.name };
  }

  #record(about: KubeObject, event: Omit<EventInput, 'about'>): void {
    this.#deps.events.record({ about, ...event });
  }
}

const namesOf = (pod: KubeObject) =>
  listAt(pod, 'spec', 'containers').map((container) => stringAt(container, 'name') ?? '');
const imagesOf = (pod: KubeObject) =>
  listAt(pod, 'spec', 'containers').map((container) => stringAt(container, 'image') ?? '');

// Events as Kubernetes components write them: what happened to an object, counted when it happens again.
import { type Clock, errorMessage, type Logger, toKubeTime } from '@fairlead/base';
import { type KubeObject, numberAt } from '@fairlead/kube/object';
import type { Objects } from '../objects/index.ts';
import type { ResourceType } from '../registry/index.ts';

export interface EventInput {
  readonly about: KubeObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly component: string;
  readonly fieldPath?: string;
}

/** Events that may still be counted up; older ones start anew. */
const maxRemembered = 4096;

export class EventRecorder {
  readonly #objects: Objects;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #type: ResourceType;
  readonly #remembered = new Map<string, { namespace: string; name: string }>();
  readonly #writing = new Set<Promise<void>>();
  #sequence = 0;

  constructor({ objects, clock, log }: { objects: Objects; clock: Clock; log: Logger }) {
    const type = objects.registry.findKind('', 'v1', 'Event');
    if (!type) throw new Error('the registry has no Event');
    this.#objects = objects;
    this.#clock = clock;
    this.#log = log;
    this.#type = type;
  }

  /** Returns at once. An event is a courtesy: that it could not be written is only noted. */
  record(input: EventInput): void {
    const writing = this.#write(input).catch((error: unknown) => {
      this.#log.debug({ reason: input.reason, error: errorMessage(error) }, 'event not recorded');
    });
    this.#writing.add(writing);
    void writing.finally(() => this.#writing.delete(writing));
  }

  async drain(): Promise<void> {
    await Promise.all(this.#writing);
  }

  async #write(input: EventInput): Promise<void> {
    const { about, reason, message, fieldPath = '' } = input;
    const key = [about.metadata.uid, reason, fieldPath, message].join('\n');
    const known = this.#remembered.get(key);
    const now = toKubeTime(this.#clock.now());
    const options = { manager: input.component };
    if (known && this.#objects.find({ type: this.#type, ...known })) {
      const countUp = (event: KubeObject) => ({
        ...event,
        count: (numberAt(event, 'count') ?? 1) + 1,
        lastTimestamp: now,
      });
      await this.#objects.update({ type: this.#type, ...known }, countUp, options);
      return;
    }
    const namespace = about.metadata.namespace ?? 'default';
    const name = `${about.metadata.name}.${(this.#clock.now() * 1000 + (this.#sequence++ % 1000)).toString(16)}`;
    this.#remember(key, { namespace, name });
    await this.#objects.create(this.#type, namespace, this.#event(input, { namespace, name, now }), options);
  }

  #event(input: EventInput, { namespace, name, now }: { namespace: string; name: string; now: string }): KubeObject {
    const { about, type, reason, message, component, fieldPath } = input;
    const { uid, resourceVersion } = about.metadata;
    const involvedObject = {
      kind: about.kind,
      namespace: about.metadata.namespace,
      name: about.metadata.name,
      uid,
      apiVersion: about.apiVersion,
      resourceVersion,
      fieldPath,
    };
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace },
      involvedObject,
      reason,
      message,
      source: { component },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      type,
      eventTime: null,
      reportingComponent: component,
      reportingInstance: '',
    };
  }

  #remember(key: string, event: { namespace: string; name: string }): void {
    this.#remembered.set(key, event);
    if (this.#remembered.size <= maxRemembered) return;
    const [oldest] = this.#remembered.keys();
    if (oldest !== undefined) this.#remembered.delete(oldest);
  }
}

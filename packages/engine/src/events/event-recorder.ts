// Writes Events beside the work, never in its way: one after the other, in order; what does not fit is dropped and counted,
// and so is what the API server does not take. Events are news, not the truth: that is in the status.
import { type Clock, errorMessage, type Logger, toKubeTime } from '@fairlead/base';
import { type Application, argoApiVersion } from '@fairlead/contracts';
import type { KubeClient, KubeObject } from '@fairlead/kube';
import { type ApplicationEvent, type EventReason, eventReasons } from './application-events.ts';

interface EventRecorderOptions {
  readonly client: KubeClient;
  /** Which are written. */
  readonly reasons: ReadonlySet<EventReason>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

const maxWaiting = 5_000;
/** As the API server does with those of others. */
const maxMessage = 1_024;

/** The programs of Argo CD that would tell it. */
type Component = 'argocd-application-controller' | 'argocd-server';

export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #waiting: KubeObject[] = [];
  #isWriting = false;
  #lastNs = 0n;
  readonly counts = { written: 0, dropped: 0, refused: 0 };

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  record(component: Component, application: Application, events: readonly ApplicationEvent[]): void {
    const { reasons, signal } = this.#options;
    if (signal.aborted) return;
    for (const event of events) {
      if (!reasons.has(event.reason)) continue;
      if (this.#waiting.length < maxWaiting) this.#waiting.push(this.#objectOf(component, application, event));
      else this.counts.dropped++;
    }
    if (!this.#isWriting) void this.#write();
  }

  async #write(): Promise<void> {
    const { client, signal, log } = this.#options;
    this.#isWriting = true;
    for (let next = this.#waiting.shift(); next && !signal.aborted; next = this.#waiting.shift()) {
      try {
        await client.create(next, { signal });
        this.counts.written++;
      } catch (error) {
        this.counts.refused++;
        log.debug({ event: next.metadata.name, error: errorMessage(error) }, 'an event could not be written');
      }
    }
    this.#isWriting = false;
  }

  #objectOf(component: Component, { metadata, spec }: Application, event: ApplicationEvent): KubeObject {
    const { name, namespace, uid, resourceVersion } = metadata;
    const at = toKubeTime(this.#options.clock.now());
    const { server = '', namespace: destination = '' } = spec?.destination ?? {};
    const annotations = {
      'dest-server': server,
      'dest-namespace': destination,
      ...(event.user ? { user: event.user } : {}),
    };
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${this.#nanoseconds()}`, namespace, annotations },
      involvedObject: { apiVersion: argoApiVersion, kind: 'Application', name, namespace, uid, resourceVersion },
      source: { component },
      type: event.type,
      reason: event.reason,
      message: event.message.slice(0, maxMessage),
      count: 1,
      firstTimestamp: at,
      lastTimestamp: at,
    };
  }

  /** Of now, as names of events end; never the same twice. */
  #nanoseconds(): string {
    const now = BigInt(Math.trunc(this.#options.clock.now())) * 1_000_000n;
    this.#lastNs = now > this.#lastNs ? now : this.#lastNs + 1n;
    return this.#lastNs.toString(16);
  }
}

/** `all`, `none`, or reasons separated by commas; those that are not known are given back. */
export function parseReasons(text: string): {
  readonly reasons: ReadonlySet<EventReason>;
  readonly unknown: readonly string[];
} {
  const words = text.split(',').flatMap((word) => word.trim() || []);
  const reasons = eventReasons.filter((reason) => words.includes('all') || words.includes(reason));
  const known: readonly string[] = ['all', 'none', ...eventReasons];
  return { reasons: new Set(reasons), unknown: words.filter((word) => !known.includes(word)) };
}

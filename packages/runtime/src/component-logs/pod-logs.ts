// What the pods of a component write, from the API of their cluster: their last lines by time, then, when they are followed,
// each line as it comes, also of pods that come later and of containers that start again; no line twice.
// Bounds: ten pods (the newest), 4 MiB of last lines, one line a pod while following. A pod that cannot be read is told as a line of
// its own and keeps no other from being read.
import { anySignal, type Clock, errorMessage, everyInterval, isAbortError, mapLimit } from '@fairlead/base';
import type { RuntimeComponent } from '@fairlead/contracts';
import { isForbidden, isNotFound, type KubeClient, timedLines } from '@fairlead/kube';
import { type ComponentPod, mayNot, type PodPlaces, podsOf } from './component-pods.ts';
import { Interleaved } from './interleaved.ts';
import { LastLines } from './last-lines.ts';

interface PodLogOptions extends PodPlaces {
  readonly component: RuntimeComponent;
  readonly tail: number;
  readonly follow: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface PodLine {
  /** '' for what is said about a pod rather than by it. */
  readonly time: string;
  readonly text: string;
  readonly pod: string;
}

const maxPods = 10;
const maxLineLength = 64 * 1024;
const maxTailLength = 4 * 1024 * 1024;
/** A node that does not give its lines keeps nobody longer. */
const readWithinMs = 10_000;
const lookEveryMs = 5_000;

export async function* podLogs(client: KubeClient, options: PodLogOptions): AsyncGenerator<PodLine, void, undefined> {
  const stop = new AbortController();
  const reading = { ...options, signal: anySignal([options.signal, stop.signal]) };
  try {
    const reader = new PodReader(client, reading);
    const pods = await podsOf(client, reading);
    const shown = pods.slice(0, maxPods);
    if (pods.length > shown.length) yield note('', `${pods.length} pods; these are lines of the ${maxPods} newest`);
    const share = Math.floor(maxTailLength / shown.length);
    const last = await mapLimit(shown, maxPods, (pod) => reader.last(pod, share));
    yield* byTime(last.flat()).slice(-options.tail);
    if (options.follow) yield* reader.following();
  } finally {
    stop.abort();
  }
}

/** Lines without a time stay behind the one before them. */
function byTime(lines: readonly PodLine[]): PodLine[] {
  let atMs = 0;
  const timed = lines.map((line) => {
    atMs = Date.parse(line.time) || atMs;
    return { line, atMs };
  });
  return timed.sort((a, b) => a.atMs - b.atMs).map(({ line }) => line);
}

const note = (pod: string, text: string): PodLine => ({ time: '', text, pod });

class PodReader {
  readonly #client: KubeClient;
  readonly #options: PodLogOptions;
  /** Time of the last line that was given, by uid. */
  readonly #seen = new Map<string, string>();
  /** What was said last about a pod, by its name; it is not said again and again. */
  readonly #told = new Map<string, string>();
  readonly #followed = new Set<string>();

  constructor(client: KubeClient, options: PodLogOptions) {
    this.#client = client;
    this.#options = options;
  }

  async last(pod: ComponentPod, maxLength: number): Promise<readonly PodLine[]> {
    const { tail: tailLines, clock, signal } = this.#options;
    const late = new AbortController();
    const cancel = clock.after(readWithinMs, () => late.abort());
    const lines = new LastLines<PodLine>({ maxLines: tailLines, maxLength });
    try {
      for await (const line of this.#lines(pod, { tailLines, signal: anySignal([signal, late.signal]) })) {
        lines.add(line);
      }
      return lines.all();
    } catch (error) {
      if (signal.aborted) throw error;
      if (isForbidden(error)) throw mayNot(pod.namespace, error);
      const said = late.signal.aborted ? `its node gave no end within ${readWithinMs / 1000} s` : undefined;
      return [...lines.all(), ...this.#failed(pod, error, said)];
    } finally {
      cancel();
    }
  }

  async *following(): AsyncGenerator<PodLine, void, undefined> {
    const { signal, clock } = this.#options;
    const lines = new Interleaved<PodLine>();
    const looking = everyInterval(lookEveryMs, () => this.#followAll(lines), { signal, clock });
    yield* lines.values({ signal });
    await looking;
  }

  async #followAll(lines: Interleaved<PodLine>): Promise<void> {
    try {
      const pods = await podsOf(this.#client, this.#options);
      for (const pod of pods.slice(0, maxPods)) {
        if (this.#followed.has(pod.uid) || (pod.hasEnded && this.#seen.has(pod.uid))) continue;
        this.#followed.add(pod.uid);
        // It never rejects: what fails is told as a line.
        void lines.add(this.#follow(pod)).finally(() => this.#followed.delete(pod.uid));
      }
      this.#told.delete('');
    } catch (error) {
      void lines.add(each(this.#tell('', errorMessage(error))));
    }
  }

  async *#follow(pod: ComponentPod): AsyncGenerator<PodLine, void, undefined> {
    const { signal } = this.#options;
    const since = this.#seen.get(pod.uid);
    const sinceTime = since === undefined ? {} : { sinceTime: since };
    try {
      for await (const line of this.#lines(pod, { follow: true, signal, ...sinceTime })) {
        if (since === undefined || line.time > since) yield line;
      }
    } catch (error) {
      if (!signal.aborted) yield* this.#failed(pod, error);
    }
  }

  async *#lines(
    { uid, namespace, name, container }: ComponentPod,
    asked: {
      readonly signal: AbortSignal;
      readonly tailLines?: number;
      readonly follow?: true;
      readonly sinceTime?: string;
    },
  ): AsyncGenerator<PodLine, void, undefined> {
    const chunks = await this.#client.podLogs({ namespace, name }, { ...asked, container, timestamps: true });
    this.#told.delete(name);
    for await (const { time, text } of timedLines(chunks, { maxLength: maxLineLength })) {
      if (time > (this.#seen.get(uid) ?? '')) this.#seen.set(uid, time);
      if (text !== '') yield { time, text, pod: name };
    }
  }

  /** A pod that is gone is nothing to be told. */
  #failed({ name }: ComponentPod, error: unknown, said?: string): readonly PodLine[] {
    if (isNotFound(error) || (isAbortError(error) && said === undefined)) return [];
    return this.#tell(name, said ?? errorMessage(error));
  }

  #tell(pod: string, said: string): readonly PodLine[] {
    if (this.#told.get(pod) === said) return [];
    this.#told.set(pod, said);
    return [note(pod, pod === '' ? said : `pod ${pod} cannot be read: ${said}`)];
  }
}

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

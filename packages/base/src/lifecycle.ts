// One Lifecycle per role: what was started is stopped in reverse order, and a background failure is never silent.
import { setMaxListeners } from 'node:events';
import { abortable } from './abort.ts';
import { errorMessage, isAbortError } from './errors.ts';
import type { Logger } from './log.ts';

interface StopStep {
  readonly name: string;
  readonly stop: () => Promise<void> | void;
}

/** Longer than any part drains. */
const defaultStopWithinMs = 15_000;

export class Lifecycle {
  readonly #controller = new AbortController();
  readonly #steps: StopStep[] = [];
  readonly #background = new Set<Promise<void>>();
  readonly #log: Logger;
  readonly #stopWithinMs: number;
  #stopping: Promise<void> | undefined;

  constructor(log: Logger, { stopWithinMs = defaultStopWithinMs }: { stopWithinMs?: number } = {}) {
    this.#log = log;
    this.#stopWithinMs = stopWithinMs;
    // Every request and loop of a role listens for the end; many listeners are no leak here.
    setMaxListeners(0, this.#controller.signal);
  }

  /** Aborted when stop() begins. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  onStop(name: string, stop: StopStep['stop']): void {
    this.#steps.push({ name, stop });
  }

  /** Takes a promise nobody awaits: its failure is logged, and stop() waits for it. */
  background(name: string, promise: Promise<unknown>): void {
    const watched = promise.then(
      () => undefined,
      (error: unknown) => {
        if (this.signal.aborted && isAbortError(error)) return;
        this.#log.error({ task: name, error: errorMessage(error) }, 'background task failed');
      },
    );
    this.#background.add(watched);
    void watched.finally(() => this.#background.delete(watched));
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#controller.abort();
    for (const step of this.#steps.toReversed()) {
      await this.#within(step.name, async () => step.stop());
    }
    await this.#within('background tasks', () => Promise.all(this.#background));
  }

  /** A part that does not end is told of and left behind: a stop always ends. */
  async #within(step: string, stop: () => Promise<unknown>): Promise<void> {
    try {
      await abortable(stop(), AbortSignal.timeout(this.#stopWithinMs));
    } catch (error) {
      this.#log.warn({ step, error: errorMessage(error) }, 'a part did not stop cleanly');
    }
  }
}

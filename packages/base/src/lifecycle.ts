// One Lifecycle per role: what was started is stopped in reverse order, and a background failure is never silent.
import { setMaxListeners } from 'node:events';
import { errorMessage, isAbortError } from './errors.ts';
import type { Logger } from './log.ts';

interface StopStep {
  readonly name: string;
  readonly stop: () => Promise<void> | void;
}

export class Lifecycle {
  readonly #controller = new AbortController();
  readonly #steps: StopStep[] = [];
  readonly #background = new Set<Promise<void>>();
  readonly #log: Logger;
  #stopping: Promise<void> | undefined;

  constructor(log: Logger) {
    this.#log = log;
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
      try {
        await step.stop();
      } catch (error) {
        this.#log.warn({ step: step.name, error: errorMessage(error) }, 'a part did not stop cleanly');
      }
    }
    await Promise.all(this.#background);
  }
}

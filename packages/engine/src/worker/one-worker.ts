// Programs of other people (jq, Lua) in a thread of their own, that is ended when one takes too long: nothing they do can
// stop the engine. One thread, made when first needed; questions take turns, each with its own deadline. At most
// `maxWaiting` wait; more are refused.
import { Worker } from 'node:worker_threads';
import { RetryableError, TerminalError } from '@fairlead/base';

/** Loading the interpreter is no fault of the question. */
const firstLimitMs = 15_000;
const maxWaiting = 10_000;

export class WorkerDeadlineError extends TerminalError {}

interface OneWorkerOptions {
  /** A text, because the thread must start from sources and from what is built alike. Answers each message with one. */
  readonly program: string;
  readonly workerData: unknown;
  readonly limitMs: number;
}

export class OneWorker<Question, Answer> {
  readonly #options: OneWorkerOptions;
  readonly counts = { ended: 0, refused: 0 };
  #worker: Worker | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #isWarm = false;
  #isStopped = false;

  constructor(options: OneWorkerOptions) {
    this.#options = options;
  }

  /** Rejects with a WorkerDeadlineError when the time is over, and with the thread's own error when it dies. */
  ask(question: Question): Promise<Answer> {
    if (this.#waiting >= maxWaiting) {
      this.counts.refused++;
      return Promise.reject(new RetryableError('worker_busy', `${maxWaiting} scripts are waiting already`));
    }
    this.#waiting++;
    const next = this.#turn.then(() => this.#ask(question)).finally(() => this.#waiting--);
    this.#turn = next.catch(() => undefined); // told to its own caller; the next one does not care
    return next;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #ask(question: Question): Promise<Answer> {
    if (this.#isStopped) return Promise.reject(new TerminalError('worker_stopped', 'the engine stops'));
    const worker = this.#workerNow();
    const { limitMs } = this.#options;
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(deadline);
        worker.off('message', onMessage).off('error', onEnd).off('exit', onExit);
        act();
      };
      const end = (reason: unknown) =>
        settle(() => {
          this.#worker = undefined;
          this.#isWarm = false;
          this.counts.ended++;
          worker.on('error', () => undefined); // it is being ended; why it fails now is of no interest
          void worker.terminate();
          reject(reason);
        });
      const deadline = setTimeout(
        () => end(new WorkerDeadlineError('worker_deadline', `took longer than ${limitMs / 1000} s`)),
        this.#isWarm ? limitMs : firstLimitMs,
      );
      const onEnd = (cause: Error) => end(cause);
      const onExit = () => end(new TerminalError('worker_ended', 'its thread has ended'));
      const onMessage = (answer: Answer) =>
        settle(() => {
          this.#isWarm = true;
          resolve(answer);
        });
      worker.on('message', onMessage).on('error', onEnd).on('exit', onExit);
      worker.postMessage(question);
    });
  }

  #workerNow(): Worker {
    if (this.#worker) return this.#worker;
    const { program, workerData } = this.#options;
    this.#worker = new Worker(program, { eval: true, workerData, env: {}, execArgv: [] });
    this.#worker.unref();
    return this.#worker;
  }
}

// `jqPathExpressions` of ignoreDifferences: jq itself, in a worker that is ended when an expression takes too long, so
// that no expression can stop the engine. One worker, made when first needed; calls take turns.
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { TerminalError } from '@fairlead/base';
import type { KubeObject } from '@fairlead/kube';

/** Argo CD's limit. */
const limitMs = 1000;
/** Loading the interpreter is no fault of the expression. */
const firstLimitMs = 15_000;

export class JqError extends TerminalError {
  constructor(expression: string, reason: string) {
    super('diff_jq', `jqPathExpressions: ${JSON.stringify(expression)}: ${reason}`);
  }
}

// A text, because the worker must start from sources and from what is built alike.
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const ready = import(workerData.module);
parentPort.on('message', async ({ text, expression }) => {
  const { raw } = (await ready).default ?? (await ready);
  try {
    parentPort.postMessage({ text: await raw(text, 'del(' + expression + ')', ['-c']) });
  } catch (error) {
    parentPort.postMessage({ error: String(error && error.message || error) });
  }
});
`;

export class JqRunner {
  #worker: Worker | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #isWarm: boolean = false;

  /** The object without what the expressions select; an expression that does not fit the object removes nothing. */
  remove(object: KubeObject, expressions: readonly string[]): Promise<KubeObject> {
    const next = this.#turn.then(async () => {
      let text = JSON.stringify(object);
      for (const expression of expressions) text = await this.#run(text, expression);
      return JSON.parse(text) as KubeObject; // fields were removed, below the root
    });
    this.#turn = next.catch(() => undefined); // told to its own caller; the next one does not care
    return next;
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  #run(text: string, expression: string): Promise<string> {
    const worker = this.#workerNow();
    const ms = this.#isWarm ? limitMs : firstLimitMs;
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => {
        this.#worker = undefined;
        this.#isWarm = false;
        void worker.terminate();
        reject(new JqError(expression, `took longer than ${limitMs / 1000} s`));
      }, ms);
      const settle = (act: () => void) => {
        clearTimeout(deadline);
        worker.off('message', onMessage).off('error', onError);
        act();
      };
      const onError = (cause: Error) =>
        settle(() => {
          this.#worker = undefined;
          reject(new JqError(expression, cause.message));
        });
      const onMessage = ({ text: answer, error }: { text?: string; error?: string }) =>
        settle(() => {
          this.#isWarm = true;
          if (error?.includes('compile error')) reject(new JqError(expression, error.split('\n')[0] ?? ''));
          else resolve(answer?.startsWith('{') ? answer : text);
        });
      worker.on('message', onMessage).on('error', onError);
      worker.postMessage({ text, expression });
    });
  }

  #workerNow(): Worker {
    const module = createRequire(import.meta.url).resolve('jq-wasm');
    this.#worker ??= new Worker(program, { eval: true, workerData: { module } });
    this.#worker.unref();
    return this.#worker;
  }
}

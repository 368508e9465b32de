// `jqPathExpressions` of ignoreDifferences: jq itself, in a thread that is ended when an expression takes too long, so
// that no expression can stop the engine.
import { createRequire } from 'node:module';
import { errorMessage, RetryableError, TerminalError } from '@fairlead/base';
import type { KubeObject } from '@fairlead/kube';
import { OneWorker } from '../worker/index.ts';

/** Argo CD's limit. */
const limitMs = 1000;
/** Expressions that are known to be jq; at the bound they are looked at anew. */
const maxKnown = 10_000;

/** What is asked for is no jq. */
export class JqError extends TerminalError {
  constructor(expression: string, reason: string) {
    super('diff_jq', `jqPathExpressions: ${JSON.stringify(expression)}: ${reason}`);
  }
}

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

type Answer = { readonly text?: string; readonly error?: string };

export class JqRunner {
  readonly #worker = new OneWorker<{ readonly text: string; readonly expression: string }, Answer>({
    program,
    workerData: { module: createRequire(import.meta.url).resolve('jq-wasm') },
    limitMs,
  });
  readonly #known = new Set<string>();

  /**
   * Rejects with a JqError that names the first expression that is no jq, whether or not it is about any object. Whether
   * an expression ends is seen where it is used.
   */
  async check(expressions: readonly string[]): Promise<void> {
    for (const expression of expressions) {
      if (this.#known.has(expression)) continue;
      await this.#run('{}', expression).catch((error: unknown) => {
        if (error instanceof JqError) throw error;
      });
      if (this.#known.size >= maxKnown) this.#known.clear();
      this.#known.add(expression);
    }
  }

  /** The object without what the expressions select; an expression that does not fit the object removes nothing. */
  async remove(object: KubeObject, expressions: readonly string[]): Promise<KubeObject> {
    let text = JSON.stringify(object);
    for (const expression of expressions) text = await this.#run(text, expression);
    return JSON.parse(text) as KubeObject; // fields were removed, below the root
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  async #run(text: string, expression: string): Promise<string> {
    const { text: answer, error } = await this.#worker.ask({ text, expression }).catch((cause: unknown) => {
      const text = `jqPathExpressions: ${JSON.stringify(expression)}: ${errorMessage(cause)}`;
      throw new RetryableError('diff_jq_failed', text, { cause });
    });
    if (error?.includes('compile error')) throw new JqError(expression, error.split('\n')[0] ?? '');
    const isOneObject = answer?.startsWith('{') === true && !answer.includes('\n');
    return isOneObject ? answer : text;
  }
}

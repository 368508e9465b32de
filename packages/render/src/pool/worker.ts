// The worker's side: one render at a time, its files asked of the pool. Nothing else is reachable from here that a
// template could want; heap and stack are bounded by the pool, time too.
import { parentPort } from 'node:worker_threads';
import { errorMessage, FairleadError } from '@fairlead/base';
import type { TreeEntry } from '@fairlead/git';
import { RenderError } from '../errors.ts';
import { ParsedTemplates } from '../gotemplate/index.ts';
import { render } from '../renderer.ts';
import type { SourceTree } from '../tree/index.ts';
import type { Answer, Failure, FromWorker, RenderJob, ToWorker, TreeQuestion } from './messages.ts';

class AskedTree implements SourceTree {
  readonly id: string;
  readonly #ask: (wanted: TreeQuestion) => Promise<unknown>;

  constructor(id: string, ask: (wanted: TreeQuestion) => Promise<unknown>) {
    this.id = id;
    this.#ask = ask;
  }

  async entry(path: string): Promise<TreeEntry | undefined> {
    return (await this.#ask({ ask: 'entry', path })) as TreeEntry | undefined; // the pool asks a tree of this interface
  }

  async list(path: string): Promise<readonly TreeEntry[] | undefined> {
    return (await this.#ask({ ask: 'list', path })) as readonly TreeEntry[] | undefined; // as above
  }

  async read(entry: TreeEntry): Promise<Buffer> {
    return Buffer.from((await this.#ask({ ask: 'read', entry })) as Uint8Array); // as above, copied on the way
  }
}

export function serve(port: NonNullable<typeof parentPort>): void {
  const parsed = new ParsedTemplates(32 * 1024 * 1024);
  const waiting = new Map<number, (answer: Answer) => void>();
  let questions = 0;
  const say = (message: FromWorker) => port.postMessage(message);
  const ask = async (tree: number, wanted: TreeQuestion): Promise<unknown> => {
    const question = ++questions;
    const answered = new Promise<Answer>((resolve) => waiting.set(question, resolve));
    say({ question, tree, wanted });
    const answer = await answered;
    if ('value' in answer) return answer.value;
    throw new RenderError(answer.failure.message, { code: answer.failure.code });
  };
  const run = async ({ job, source, target = {}, treeIds, refs }: RenderJob) => {
    const [tree, ...lenders] = treeIds.map((id, index) => new AskedTree(id, (wanted) => ask(index, wanted)));
    if (!tree) return;
    const named = Object.fromEntries(refs.map((name, index) => [name, lenders[index] ?? tree]));
    try {
      say({ job, result: await render({ tree, source, target, refs: named }, { parsed }) });
    } catch (error) {
      say({ job, failure: failureOf(error) });
    }
  };
  port.on('message', (message: ToWorker) => {
    if ('render' in message) {
      void run(message.render);
      return;
    }
    waiting.get(message.question)?.(message.answer);
    waiting.delete(message.question);
  });
}

const failureOf = (error: unknown): Failure => ({
  message: errorMessage(error),
  code: error instanceof FairleadError ? error.code : 'render_failed',
});

if (parentPort) serve(parentPort);

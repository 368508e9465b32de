// The worker's side: one render at a time, its files asked of the pool. Nothing else is reachable from here that a
// template could want; heap and stack are bounded by the pool, time too.
import { parentPort } from 'node:worker_threads';
import { errorMessage, FairleadError } from '@fairlead/base';
import type { TreeEntry } from '@fairlead/git';
import type { ChartReference, ChartSource, FetchedChart, ResolvedChart } from '../charts/index.ts';
import { RenderError } from '../errors.ts';
import { ParsedTemplates } from '../gotemplate/index.ts';
import type { ProgramCall, ProgramSource } from '../programs/index.ts';
import type { RemoteReference, RemoteTree, RemoteTrees } from '../remotes/index.ts';
import { render } from '../renderer.ts';
import type { SourceTree } from '../tree/index.ts';
import type { Answer, Failure, FromWorker, OpenedRemote, RenderJob, ToWorker, TreeQuestion } from './messages.ts';

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

class AskedCharts implements ChartSource {
  readonly #ask: (wanted: TreeQuestion) => Promise<unknown>;

  constructor(ask: (wanted: TreeQuestion) => Promise<unknown>) {
    this.#ask = ask;
  }

  async resolve(chart: ChartReference): Promise<ResolvedChart> {
    return (await this.#ask({ ask: 'resolve', chart })) as ResolvedChart; // the pool asks a source of this interface
  }

  async fetch(chart: ChartReference): Promise<FetchedChart> {
    const { content, ...rest } = (await this.#ask({ ask: 'fetch', chart })) as FetchedChart; // as above
    return { ...rest, content: Buffer.from(content) };
  }
}

class AskedRemotes implements RemoteTrees {
  readonly #ask: (tree: number, wanted: TreeQuestion) => Promise<unknown>;

  constructor(ask: (tree: number, wanted: TreeQuestion) => Promise<unknown>) {
    this.#ask = ask;
  }

  async open(remote: RemoteReference): Promise<RemoteTree> {
    const opened = (await this.#ask(0, { ask: 'open', remote })) as OpenedRemote; // as above
    const tree = new AskedTree(opened.treeId, (wanted) => this.#ask(opened.tree, wanted));
    return { commit: opened.commit, tree };
  }
}

class AskedPrograms implements ProgramSource {
  readonly #ask: (wanted: TreeQuestion) => Promise<unknown>;

  constructor(ask: (wanted: TreeQuestion) => Promise<unknown>) {
    this.#ask = ask;
  }

  /** Known to the renderer that keeps what is made here. */
  async identity(): Promise<string> {
    return '';
  }

  async run(call: ProgramCall): Promise<string> {
    return (await this.#ask({ ask: 'run', call })) as string; // as above
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
  const run = async ({ job, source, target = {}, facts, treeIds, refs, ...has }: RenderJob) => {
    const [tree, ...lenders] = treeIds.map((id, index) => new AskedTree(id, (wanted) => ask(index, wanted)));
    if (!tree) return;
    const named = Object.fromEntries(refs.map((name, index) => [name, lenders[index] ?? tree]));
    const charts = has.charts ? new AskedCharts((wanted) => ask(0, wanted)) : undefined;
    const remotes = has.remotes ? new AskedRemotes(ask) : undefined;
    const programs = has.programs ? new AskedPrograms((wanted) => ask(0, wanted)) : undefined;
    try {
      const request = { tree, source, target, facts, refs: named, charts, remotes, programs };
      say({ job, result: await render(request, { parsed }) });
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

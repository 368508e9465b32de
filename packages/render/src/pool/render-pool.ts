// Renders in worker threads, so that a repository that means harm costs its own application and nobody else's.
//
// Promises: a render ends within its deadline, or its worker ends; a worker's heap and stack are bounded, and running
// over them fails that render alone; at most `size` renders run at once, at most `maxWaiting` wait, more are refused.
// Workers are started when first needed and end with stop(); a worker that was ended is replaced by the next render.
import { Worker } from 'node:worker_threads';
import { errorMessage, FairleadError, RetryableError } from '@fairlead/base';
import type { ChartSource } from '../charts/index.ts';
import { RenderError } from '../errors.ts';
import type { ProgramSource } from '../programs/index.ts';
import type { RemoteReference, RemoteTrees } from '../remotes/index.ts';
import type { RenderRequest, RenderResult } from '../renderer.ts';
import type { SourceTree } from '../tree/index.ts';
import type { Answer, Failure, FromWorker, OpenedRemote, ToWorker, TreeQuestion } from './messages.ts';

export interface RenderPoolOptions {
  readonly size?: number;
  readonly deadlineMs?: number;
  readonly maxHeapMb?: number;
  readonly maxWaiting?: number;
}

interface Task {
  readonly request: RenderRequest;
  readonly signal: AbortSignal | undefined;
  readonly done: (result: RenderResult) => void;
  readonly failed: (error: unknown) => void;
}

const stackMb = 16;

export class RenderPool {
  readonly #size: number;
  readonly #deadlineMs: number;
  readonly #maxHeapMb: number;
  readonly #maxWaiting: number;
  readonly #idle: Worker[] = [];
  readonly #busy = new Set<Worker>();
  readonly #waiting: Task[] = [];
  readonly counts = { started: 0, ended: 0, refused: 0 };
  #jobs = 0;
  #stopped = false;

  constructor({ size = 2, deadlineMs = 90_000, maxHeapMb = 512, maxWaiting = 10_000 }: RenderPoolOptions = {}) {
    this.#size = size;
    this.#deadlineMs = deadlineMs;
    this.#maxHeapMb = maxHeapMb;
    this.#maxWaiting = maxWaiting;
  }

  render(request: RenderRequest, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<RenderResult> {
    signal?.throwIfAborted();
    if (this.#stopped) return Promise.reject(new RenderError('the renderer was stopped'));
    if (this.#waiting.length >= this.#maxWaiting) {
      this.counts.refused++;
      const message = `${this.#maxWaiting} renders are waiting already; try again later`;
      return Promise.reject(new RetryableError('render_busy', message));
    }
    return new Promise((done, failed) => {
      this.#waiting.push({ request, signal, done, failed });
      this.#next();
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { failed } of this.#waiting.splice(0)) failed(new RenderError('the renderer was stopped'));
    const workers = [...this.#idle.splice(0), ...this.#busy];
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #next(): void {
    while (this.#waiting.length > 0 && this.#busy.size < this.#size) {
      const task = this.#waiting.shift();
      if (!task) return;
      if (task.signal?.aborted) {
        task.failed(task.signal.reason);
        continue;
      }
      const worker = this.#idle.pop() ?? this.#start();
      this.#busy.add(worker);
      this.#run(worker, task);
    }
  }

  #start(): Worker {
    this.counts.started++;
    const worker = new Worker(workerFile(), {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#maxHeapMb, stackSizeMb: stackMb },
    });
    worker.unref();
    return worker;
  }

  #run(worker: Worker, task: Task): void {
    const { source, target, facts, tree, refs = {}, charts, remotes, programs } = task.request;
    const trees = [tree, ...Object.values(refs)];
    const job = ++this.#jobs;
    /** What was asked for on behalf of the render ends with it. */
    const over = new AbortController();
    const timer = setTimeout(
      () => end(new RenderError(`rendering took longer than ${this.#deadlineMs / 1000} s`)),
      this.#deadlineMs,
    );
    const finish = () => {
      clearTimeout(timer);
      over.abort(new RenderError('the render has ended'));
      task.signal?.removeEventListener('abort', onAbort);
      // By name: Node itself listens to a worker too.
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
      this.#busy.delete(worker);
    };
    /** The worker is in no state to be trusted with another render. */
    const end = (error: unknown) => {
      finish();
      this.counts.ended++;
      worker.on('error', () => undefined); // it is being ended; why it fails now is of no interest
      void worker.terminate();
      task.failed(error);
      this.#next();
    };
    const onAbort = () => end(task.signal?.reason);
    task.signal?.addEventListener('abort', onAbort, { once: true });
    worker.on('error', (error: NodeJS.ErrnoException) => end(this.#crash(error)));
    worker.on('exit', () => end(new RenderError('the renderer ended while it rendered')));
    worker.on('message', (message: FromWorker) => {
      if ('question' in message) {
        const places = { trees, tree: trees[message.tree], charts, remotes, programs, signal: over.signal };
        void answer(places, message.wanted).then((told) => say(worker, { question: message.question, answer: told }));
        return;
      }
      if (message.job !== job) return;
      finish();
      if (this.#stopped) void worker.terminate();
      else this.#idle.push(worker);
      if ('result' in message) task.done(message.result);
      else task.failed(errorOf(message.failure));
      this.#next();
    });
    const treeIds = trees.map(({ id }) => id);
    const has = { charts: charts !== undefined, remotes: remotes !== undefined, programs: programs !== undefined };
    say(worker, { render: { job, source, target, facts, treeIds, refs: Object.keys(refs), ...has } });
  }

  #crash(error: NodeJS.ErrnoException): RenderError {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      return new RenderError(`rendering needed more than ${this.#maxHeapMb} MiB of memory`);
    return new RenderError(`the renderer failed: ${errorMessage(error)}`);
  }
}

const say = (worker: Worker, message: ToWorker): void => worker.postMessage(message);

const errorOf = ({ message, code }: Failure): RenderError => new RenderError(message, { code });

interface Places {
  /** All trees of the render; those of other repositories join them when they are opened. */
  readonly trees: SourceTree[];
  readonly tree: SourceTree | undefined;
  readonly charts: ChartSource | undefined;
  readonly remotes: RemoteTrees | undefined;
  readonly programs: ProgramSource | undefined;
  readonly signal: AbortSignal;
}

async function answer(places: Places, wanted: TreeQuestion): Promise<Answer> {
  const { tree, charts, programs, signal } = places;
  try {
    if (wanted.ask === 'open') return { value: await openRemote(places, wanted.remote) };
    if (wanted.ask === 'fetch') return { value: await charts?.fetch(wanted.chart, { signal }) };
    if (wanted.ask === 'run') return { value: await programs?.run(wanted.call, { signal }) };
    if (wanted.ask === 'resolve') return { value: await charts?.resolve(wanted.chart, { signal }) };
    if (!tree) return { value: undefined };
    if (wanted.ask === 'read') return { value: await tree.read(wanted.entry) };
    return { value: wanted.ask === 'entry' ? await tree.entry(wanted.path) : await tree.list(wanted.path) };
  } catch (error) {
    const code = error instanceof FairleadError ? error.code : 'render_failed';
    return { failure: { message: errorMessage(error), code } };
  }
}

async function openRemote({ trees, remotes, signal }: Places, remote: RemoteReference): Promise<OpenedRemote> {
  if (!remotes) throw new RenderError('there are no other repositories here');
  const { commit, tree } = await remotes.open(remote, { signal });
  return { commit, treeId: tree.id, tree: trees.push(tree) - 1 };
}

/** Threads run what was compiled, also when this file is run from its source; bundled, both stand in one folder. */
function workerFile(): URL {
  const isSource = import.meta.url.endsWith('.ts');
  return new URL(isSource ? '../../dist/pool/render-worker.js' : './render-worker.js', import.meta.url);
}

// Lua scripts of `argocd-cm` (health, actions), run in a WebAssembly machine that has no way out: no files, no network, no processes, no
// other modules. Bounds per script: Argo CD's one second, and memory. Each run gets an environment of its own, so that
// what a script sets is gone afterwards. The machine has a thread of its own, which ends with a script that does not end
// by itself: one call of `string.find` counts as one step of Lua, however long it takes.
//
// Argo CD runs Lua 5.1; this is 5.4 with the functions of 5.1 that scripts use (`table.getn`, `unpack`).
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { errorMessage, TerminalError } from '@fairlead/base';
import { OneWorker, WorkerDeadlineError } from '../worker/index.ts';
import { prelude, program } from './lua-program.ts';

const limitMs = 1000;
/** For the machine's own end of time, which costs no thread, to come first. */
const graceMs = 250;
const memoryBytes = 64 * 1024 * 1024;

class LuaError extends TerminalError {
  constructor(reason: string) {
    super('lua_script', reason);
  }
}

type Answer = { readonly text?: string; readonly error?: string };

export class LuaRunner {
  readonly #worker = new OneWorker<{ readonly source: string; readonly globals: string }, Answer>({
    program,
    workerData: { module: machineFile(), prelude, memoryBytes, limitMs },
    limitMs: limitMs + graceMs,
  });

  get counts(): { readonly ended: number; readonly refused: number } {
    return this.#worker.counts;
  }

  /**
   * What the script returns, as JSON has it: null when that is nothing. An empty table comes back as an empty object, since
   * Lua has one kind of table.
   */
  async run(source: string, globals: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { text, error } = await this.#worker.ask({ source, globals: JSON.stringify(globals) }).catch(failed);
    if (text !== undefined) return JSON.parse(text);
    const reason = (error ?? '').split('\n')[0] ?? '';
    throw new LuaError(reason.includes('timeout') ? tooLong : reason);
  }

  close(): Promise<void> {
    return this.#worker.stop();
  }
}

const tooLong = `took longer than ${limitMs / 1000} s`;

function failed(cause: unknown): never {
  throw new LuaError(cause instanceof WorkerDeadlineError ? tooLong : errorMessage(cause));
}

const machineFile = () => pathToFileURL(createRequire(import.meta.url).resolve('wasmoon')).href;

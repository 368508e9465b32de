// Which runtimes are reached by a URL, and which of them answer there. The table says who; asking says whether.
import { errorMessage, type Logger, withDeadline } from '@fairlead/base';
import { appProxyPrefix } from '@fairlead/contracts';
import { directRuntimes, type RuntimeRecord, type Store } from '../store/index.ts';
import type { DirectLines, Line } from './direct-lines.ts';

interface DirectDeps {
  readonly store: Store;
  readonly lines: DirectLines;
  readonly log: Logger;
}

const answersWithinMs = 4_000;
/** Asked at the same time. */
const atOnce = 32;

export class DirectRuntimes {
  readonly #deps: DirectDeps;
  readonly #reachable = new Set<string>();

  constructor(deps: DirectDeps) {
    this.#deps = deps;
  }

  /** Ids of those that answered when they were last asked. */
  get reachable(): ReadonlySet<string> {
    return this.#reachable;
  }

  line({ accessUrl }: RuntimeRecord): Line | undefined {
    return accessUrl === null ? undefined : this.#deps.lines.line(new URL(accessUrl));
  }

  async look({ signal }: { signal: AbortSignal }): Promise<void> {
    const { store } = this.#deps;
    const waiting = await directRuntimes(store.db);
    const known = new Set(waiting.map(({ id }) => id));
    for (const id of this.#reachable) if (!known.has(id)) this.#reachable.delete(id);
    const worker = async () => {
      for (let runtime = waiting.shift(); runtime && !signal.aborted; runtime = waiting.shift()) {
        await this.#ask(runtime, signal);
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, worker));
  }

  async #ask(runtime: RuntimeRecord, signal: AbortSignal): Promise<void> {
    const { log } = this.#deps;
    const within = withDeadline(signal, answersWithinMs);
    const wasReachable = this.#reachable.has(runtime.id);
    try {
      const path = `${appProxyPrefix}/healthz`;
      const answer = await this.line(runtime)?.request({ method: 'GET', path, signal: within });
      answer?.body.on('error', () => undefined).destroy(); // the status says enough
      if (answer?.status !== 200) throw new Error(`it answered ${answer?.status}`);
      this.#reachable.add(runtime.id);
      if (!wasReachable) log.info({ runtime: runtime.name }, 'runtime answers at its URL');
    } catch (error) {
      this.#reachable.delete(runtime.id);
      if (wasReachable) log.warn({ runtime: runtime.name, error: errorMessage(error) }, 'runtime does not answer');
    }
  }
}

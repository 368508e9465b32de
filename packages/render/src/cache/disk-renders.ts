// Renders on disk, so that the next start of a process need not render what has not changed. Found by the request, like
// those in memory, and taken only when their read sets hold on the trees at hand.
import { DiskStore } from '../store/index.ts';
import { holdsOn, maxPerRequest, type RenderTrees, type Traced } from './render-cache.ts';

export class DiskRenders<R extends Traced> {
  readonly #store: DiskStore;

  constructor(options: { dir: string; maxBytes: number }) {
    this.#store = new DiskStore(options);
  }

  get counts(): DiskStore['counts'] {
    return this.#store.counts;
  }

  async find(request: string, trees: RenderTrees): Promise<R | undefined> {
    for (const result of await this.#all(request)) if (await holdsOn(result, trees)) return result;
    return undefined;
  }

  async keep(request: string, result: R): Promise<void> {
    const inputs = inputsOf(result);
    const others = (await this.#all(request)).filter((other) => inputsOf(other) !== inputs);
    await this.#store.put(request, Buffer.from(JSON.stringify([result, ...others].slice(0, maxPerRequest))));
  }

  async #all(request: string): Promise<readonly R[]> {
    const content = await this.#store.get(request);
    return content ? (JSON.parse(content.toString('utf8')) as R[]) : []; // what `keep` wrote, checked by the store
  }
}

const inputsOf = ({ inputs, lent, charts, remotes, environment }: Traced): string =>
  JSON.stringify([inputs, lent, charts, remotes, environment]);

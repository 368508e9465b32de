// Renders by what they read, not by commit: the answer of an earlier render is given again for any trees on which its
// read sets hold. Bounded by the size of the manifests kept; at the bound the least recently used goes.
import { BoundedCache } from '@fairlead/base';
import { type BuildEnvironment, stillMeans } from '../build-environment.ts';
import { type ChartSource, stillTakes, type UsedChart } from '../charts/index.ts';
import { type RemoteTrees, stillAt, type UsedRemote } from '../remotes/index.ts';
import { type ReadSet, type SourceTree, stillHolds } from '../tree/index.ts';

/** The tree rendered, and those of sources that lend files to it. */
export interface RenderTrees {
  readonly tree: SourceTree;
  readonly refs: Readonly<Record<string, SourceTree>>;
  /** Asked whether it would give the same charts again. */
  readonly charts?: ChartSource | undefined;
  readonly remotes?: RemoteTrees | undefined;
  readonly environment: BuildEnvironment;
}

export interface Traced {
  readonly inputs: ReadSet;
  readonly lent: Readonly<Record<string, ReadSet>>;
  readonly charts: readonly UsedChart[];
  readonly remotes: readonly UsedRemote[];
  readonly environment: Readonly<Record<string, string>>;
}

interface Remembered<R> {
  readonly treeIds: string;
  readonly result: R;
  readonly size: number;
}

/** Branches of one repository alternate between a few states. */
export const maxPerRequest = 4;

export class RenderCache<R extends Traced> {
  readonly #cache: BoundedCache<string, readonly Remembered<R>[]>;
  readonly counts = { hits: 0, misses: 0 };

  constructor(maxBytes: number) {
    this.#cache = new BoundedCache(maxBytes);
  }

  get sizeBytes(): number {
    return this.#cache.size;
  }

  get evictions(): number {
    return this.#cache.evictions;
  }

  /** `request` stands for everything but the trees: source settings, parameters, tool version. */
  async find(request: string, trees: RenderTrees): Promise<R | undefined> {
    const known = this.#cache.get(request) ?? [];
    const treeIds = idsOf(trees);
    let found = known.find((entry) => entry.treeIds === treeIds);
    if (found && !(await isStillOffered(found.result, trees))) found = undefined;
    if (!found) {
      for (const entry of known) {
        if (!(await holdsOn(entry.result, trees))) continue;
        found = { ...entry, treeIds };
        this.#put(request, [found, ...known.filter((other) => other !== entry)]);
        break;
      }
    }
    if (found) this.counts.hits++;
    else this.counts.misses++;
    return found?.result;
  }

  keep(request: string, { trees, result, size }: { trees: RenderTrees; result: R; size: number }): void {
    const known = this.#cache.get(request) ?? [];
    this.#put(request, [{ treeIds: idsOf(trees), result, size }, ...known].slice(0, maxPerRequest));
  }

  #put(request: string, entries: readonly Remembered<R>[]): void {
    const size = entries.reduce((sum, entry) => sum + entry.size, 0);
    this.#cache.set(request, entries, size);
  }
}

const idsOf = ({ tree, refs }: RenderTrees): string =>
  JSON.stringify([tree.id, ...Object.entries(refs).map(([name, { id }]) => [name, id])]);

export async function holdsOn(
  { inputs, lent, ...elsewhere }: Traced,
  { tree, refs, ...trees }: RenderTrees,
): Promise<boolean> {
  for (const [name, readSet] of Object.entries(lent)) {
    const lender = refs[name];
    if (!lender || !(await stillHolds(readSet, lender))) return false;
  }
  return (await stillHolds(inputs, tree)) && isStillOffered(elsewhere, trees);
}

/** Whether what came from elsewhere would come the same now. */
async function isStillOffered(
  used: Pick<Traced, 'charts' | 'remotes' | 'environment'>,
  { charts, remotes, environment }: Pick<RenderTrees, 'charts' | 'remotes' | 'environment'>,
): Promise<boolean> {
  if (!stillMeans(used.environment, environment)) return false;
  return (await stillTakes(used.charts, charts)) && stillAt(used.remotes, remotes);
}

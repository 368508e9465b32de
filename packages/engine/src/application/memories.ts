// What the controller remembers of each application between two looks at it: the source as last loaded, comparisons made,
// the pause between waves. In memory only; after a restart, and for a new term of this engine, everything begins anew.
import type { AtRest } from './at-rest.ts';
import { type Comparison, ComparisonMemory } from './comparison.ts';
import { SourceRefresh } from './source-refresh.ts';

export interface Memory {
  /** How often something of the application may have changed; see `AtRest`. */
  touches: number;
  /** Set while the last look found nothing to do but to ask the repositories again. */
  atRest?: AtRest | undefined;
  /** A turn of `RevisionWrites` that was taken and not used yet. */
  hasTurn: boolean;
  readonly refresh: SourceRefresh;
  readonly comparisons: ComparisonMemory;
  comparison?: Comparison;
  /** Monotonic; see OperationDeps. After a restart a sync goes on without the pause. */
  readonly pause: { untilMs: number };
}

type RefreshDeps = ConstructorParameters<typeof SourceRefresh>[0];

interface MemoriesDeps extends Omit<RefreshDeps, 'onFailure'> {
  readonly onFailure: (name: string, error: string) => void;
}

export class Memories {
  readonly #deps: MemoriesDeps;
  readonly #byName = new Map<string, Memory>();

  constructor(deps: MemoriesDeps) {
    this.#deps = deps;
  }

  find(name: string): Memory | undefined {
    return this.#byName.get(name);
  }

  of(name: string): Memory {
    const known = this.#byName.get(name);
    if (known) return known;
    const onFailure = (error: string) => this.#deps.onFailure(name, error);
    const refresh = new SourceRefresh({ ...this.#deps, onFailure });
    const comparisons = new ComparisonMemory();
    const memory: Memory = { touches: 0, hasTurn: false, refresh, comparisons, pause: { untilMs: 0 } };
    this.#byName.set(name, memory);
    return memory;
  }

  forget(name: string): void {
    this.#byName.delete(name);
  }

  clear(): void {
    this.#byName.clear();
  }
}

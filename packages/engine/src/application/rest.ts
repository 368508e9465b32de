// An application at rest (`AtRest`), when its poll is due: what can be found out without a look at it, and whether that
// is to be written.
import { type Application, entityOf } from '@fairlead/contracts';
import type { KubeObject, ReconcileResult } from '@fairlead/kube';
import type { Clusters } from '../clusters/index.ts';
import { restsStill } from './at-rest.ts';
import type { Memory } from './memories.ts';
import type { RevisionWrites } from './revision-writes.ts';

interface RestDeps {
  readonly projectOf: (name: string) => KubeObject | undefined;
  readonly clusters: Clusters;
  readonly revisionWrites: RevisionWrites;
  readonly counts: { echoes: number; restingPolls: number; revisionsLater: number };
}

export class Rest {
  readonly #deps: RestDeps;

  constructor(deps: RestDeps) {
    this.#deps = deps;
  }

  /**
   * With everything as the last look left it there is nothing to do before the next poll, which may find the same. Undefined:
   * the application has to be looked at.
   */
  async pollIfDue(application: Application, memory: Memory | undefined, signal: AbortSignal): Promise<ReconcileResult> {
    if (!memory?.atRest || !restsStill(application, memory.atRest, { ...this.#deps, touches: memory.touches }))
      return undefined;
    const { counts } = this.#deps;
    const { refresh } = memory;
    if (refresh.isSettled && !refresh.isPollDue) {
      counts.echoes++;
      return { requeueAfterMs: refresh.untilPollMs };
    }
    const found = await refresh.poll(application, signal);
    if (found === 'unknown') return undefined;
    if (found === 'untouched') {
      memory.hasTurn = this.mayWriteRevision(application, memory);
      if (memory.hasTurn) return undefined;
      counts.revisionsLater++;
    } else counts.restingPolls++;
    refresh.endPoll();
    return { requeueAfterMs: refresh.untilPollMs };
  }

  /** By the revision of a runtime's configuration others hear that there was a push. */
  mayWriteRevision({ metadata }: Application, { hasTurn }: Memory): boolean {
    return hasTurn || entityOf(metadata.labels) === 'internal-config' || this.#deps.revisionWrites.take();
  }
}

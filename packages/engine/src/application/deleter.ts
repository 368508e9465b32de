// Deleting an Application, one look at a time: PreDelete hooks, then what it manages, then PostDelete hooks; each part
// ends with its finalizer taken off. Which part is next follows from the finalizers alone.
import type { Application } from '@fairlead/contracts';
import { resourcesFinalizer } from '@fairlead/contracts';
import type { ReconcileResult } from '@fairlead/kube';
import type { Cluster, Clusters } from '../clusters/index.ts';
import type { HealthOf, HealthReady } from '../health/index.ts';
import type { SyncHook } from '../sync/index.ts';
import type { ApplicationStore } from './application-store.ts';
import type { Problem } from './conditions.ts';
import { advanceDeleteHooks, type DeleteHookStep, deleteHookStep, isDeleteHookFinalizer } from './delete-hooks.ts';
import { continueDeletion } from './deletion.ts';
import { unreachable } from './unreachable.ts';

interface DeleterDeps {
  readonly store: ApplicationStore;
  readonly clusters: Clusters;
  readonly guard: () => void;
  readonly healthOf: HealthOf;
  readonly healthReady: HealthReady;
  /** Of the source as it is now; rejects when it cannot be loaded. */
  readonly hooksOf: (application: Application, signal: AbortSignal) => Promise<readonly SyncHook[]>;
  readonly tell: (application: Application, conditions: readonly Problem[], signal: AbortSignal) => Promise<void>;
}

const backstopMs = 5000;
const again: ReconcileResult = { requeueAfterMs: backstopMs };

export class ApplicationDeleter {
  readonly #deps: DeleterDeps;

  constructor(deps: DeleterDeps) {
    this.#deps = deps;
  }

  async advance(application: Application, signal: AbortSignal): Promise<ReconcileResult> {
    const choice = this.#deps.clusters.find(application.spec?.destination);
    if (!choice.ok) {
      // Nobody can reach what it managed any more; keeping the Application would keep it for ever.
      return this.#release(application, isOurs, signal);
    }
    const { cluster } = choice;
    const unready = unreachable(cluster);
    if (unready) {
      if (unready[0]) await this.#deps.tell(application, [{ ...unready[0], type: 'DeletionError' }], signal);
      return again;
    }
    const before = deleteHookStep(application, 'PreDelete');
    if (before) return this.#advanceHooks(application, before, { cluster, signal });
    if (application.metadata.finalizers?.some(isForResources))
      return this.#deleteResources(application, cluster, signal);
    const after = deleteHookStep(application, 'PostDelete');
    return after ? this.#advanceHooks(application, after, { cluster, signal }) : undefined;
  }

  async #advanceHooks(
    application: Application,
    step: DeleteHookStep,
    { cluster, signal }: { readonly cluster: Cluster; readonly signal: AbortSignal },
  ): Promise<ReconcileResult> {
    const { healthOf, healthReady, guard, hooksOf, tell } = this.#deps;
    const { cache } = cluster;
    const hooks = await hooksOf(application, signal);
    const progress = await advanceDeleteHooks(application, step, hooks, {
      client: cluster.client.guardedBy(guard),
      signal,
      healthOf,
      healthReady,
      liveOf: (ref) => cache.get(ref),
      observe: (object) => cache.observe(object),
      forget: (object) => cache.forget(object),
      dependentsOf: (uid) => cache.children(uid),
    });
    if (progress.isOver) return this.#release(application, (finalizer) => finalizer === step.finalizer, signal);
    if (progress.isFailure) await tell(application, [{ type: 'DeletionError', message: progress.message }], signal);
    return again;
  }

  async #deleteResources(application: Application, cluster: Cluster, signal: AbortSignal): Promise<ReconcileResult> {
    const client = cluster.client.guardedBy(this.#deps.guard);
    const next = await continueDeletion(application, { client, cache: cluster.cache, signal });
    if (next.step === 'release') return this.#release(application, isForResources, signal);
    if (next.step === 'unconfirmed') {
      await this.#deps.tell(application, [{ type: 'DeletionError', message: next.message }], signal);
    }
    return again;
  }

  /** The next part, if there is one, begins with the change this makes. */
  async #release(
    application: Application,
    isDone: (finalizer: string) => boolean,
    signal: AbortSignal,
  ): Promise<ReconcileResult> {
    const { finalizers = [] } = application.metadata;
    const left = finalizers.filter((finalizer) => !isDone(finalizer));
    if (left.length === finalizers.length) return undefined;
    await this.#deps.store.write(application, { fields: { metadata: { finalizers: left } }, exclusive: true, signal });
    return undefined;
  }
}

const isForResources = (finalizer: string) => finalizer.startsWith(resourcesFinalizer);
const isOurs = (finalizer: string) => isForResources(finalizer) || isDeleteHookFinalizer(finalizer);

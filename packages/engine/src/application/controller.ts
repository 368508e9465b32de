// Runs the reconciler for every Application of the namespace: on changes of the Application, of what it manages, of its
// repository (webhook), of its project, and from time to time. One Application that fails is retried with back-off and
// stops no other. Watching goes on all the time; looking and writing only in `act`, while this engine is the one that acts.
import { type Clock, errorMessage, isAbortError, type Logger, mapLimit } from '@fairlead/base';
import { type Application, type ApplicationSource, argoApiVersion, argoGroup, entityOf } from '@fairlead/contracts';
import { affectsRevision, type PushEvent } from '@fairlead/git';
import {
  Informer,
  type KubeClient,
  type KubeObject,
  refKey,
  runWorkers,
  WorkQueue,
  type WorkQueueStats,
} from '@fairlead/kube';
import type { LoadedSources, SourceLoader } from '@fairlead/render';
import type { Clusters } from '../clusters/index.ts';
import type { LiveChange } from '../live/index.ts';
import type { SyncWindow } from '../project/index.ts';
import type { ApplicationChange, ApplicationStore } from './application-store.ts';
import type { Comparison } from './comparison.ts';
import { isRunning } from './operation.ts';
import { ApplicationReconciler, type ReconcilerDeps } from './reconciler.ts';
import { ResourceUpdates } from './resource-updates.ts';
import type { RefreshLevel } from './source-refresh.ts';
import { sourcesOf } from './sources.ts';

type ControllerOptions = Omit<ReconcilerDeps, 'projectOf'> & {
  /** Of the cluster that holds the Applications. */
  readonly client: KubeClient;
  readonly concurrency?: number;
};

/** Changes of live objects come in bursts; one look a burst is enough. */
const burstMs = 20;

export class ApplicationController {
  readonly #store: ApplicationStore;
  readonly #clusters: Clusters;
  readonly #log: Logger;
  readonly #concurrency: number;
  readonly #newQueue: () => WorkQueue;
  #queue: WorkQueue;
  readonly #projects: Informer;
  readonly #projectOf: (name: string) => KubeObject | undefined;
  readonly #reconciler: ApplicationReconciler;
  readonly #updates: ResourceUpdates;
  readonly #sources: SourceLoader;
  readonly #clock: Clock;
  #signal: AbortSignal = AbortSignal.abort();

  constructor({ concurrency = 8, ...deps }: ControllerOptions) {
    const { client, store, clusters, sources, log, namespace, clock, random } = deps;
    this.#store = store;
    this.#sources = sources;
    this.#clock = clock;
    this.#clusters = clusters;
    this.#log = log;
    this.#concurrency = concurrency;
    this.#newQueue = () => new WorkQueue({ clock, random });
    this.#queue = this.#newQueue();
    this.#queue.close(); // what comes in before `act` is found by it
    this.#projects = projectInformer(client, namespace, log);
    this.#projectOf = (name) => this.#projects.get(refKey({ group: argoGroup, kind: 'AppProject', namespace, name }));
    this.#reconciler = new ApplicationReconciler({ ...deps, projectOf: this.#projectOf });
    this.#updates = new ResourceUpdates({
      rules: deps.updateRules,
      healthOf: deps.healthOf,
      healthReady: deps.healthReady,
      withoutSelected: this.#reconciler.withoutSelected,
    });
  }

  get stats(): WorkQueueStats & ApplicationReconciler['counts'] & { ignoredUpdates: number } {
    const { ignored: ignoredUpdates } = this.#updates.counts;
    return { ...this.#queue.stats(), ...this.#reconciler.counts, ignoredUpdates };
  }

  comparisonOf(name: string): Comparison | undefined {
    return this.#reconciler.comparisonOf(name);
  }

  projectOf(name: string): KubeObject | undefined {
    return this.#projectOf(name);
  }

  /** The manifests of an application at other revisions than its own. */
  loadAt(name: string, revisions: readonly string[], signal: AbortSignal): Promise<LoadedSources> {
    return this.#reconciler.loadAt(name, revisions, signal);
  }

  windowsOf(name: string): readonly SyncWindow[] {
    return this.#reconciler.windowsOf(name);
  }

  refresh(name: string, level: RefreshLevel): void {
    this.#reconciler.demand(name, level);
    this.#wake(name);
  }

  /**
   * Applications that a push moved are looked at at once; the others learn its revision with their next poll. Gives
   * back the names of all that follow what was pushed.
   */
  pushed(event: PushEvent): string[] {
    const isAffected = affectedBy(event);
    const affected = this.#store.list().filter((application) => sourcesOf(application).some(isAffected));
    if (affected.length > 0) this.#reconciler.revisionWrites.pushed();
    this.#refreshMoved(affected).catch((error: unknown) => {
      if (!isAbortError(error)) this.#log.error({ error: errorMessage(error) }, 'a push could not be looked at');
    });
    return affected.map(({ metadata }) => metadata.name);
  }

  async #refreshMoved(affected: readonly Application[]): Promise<void> {
    const asOfMs = this.#clock.monotonic();
    const look = this.#sources.lookAfterPush(asOfMs, this.#signal);
    await mapLimit(affected, this.#concurrency, async (application) => {
      // What goes wrong with the repository is told by each application that is looked at. By the revision of a runtime's
      // configuration others hear that there was a push.
      const isMoved =
        entityOf(application.metadata.labels) === 'internal-config' ||
        (await this.#reconciler.isMoved(application, look).catch(() => true));
      if (!isMoved) return;
      this.#reconciler.demand(application.metadata.name, 'pushed', asOfMs);
      this.#wake(application.metadata.name);
    });
  }

  /** Applications whose source could not be read are tried again, e.g. after credentials came in. */
  retryFailedSources(): void {
    for (const { metadata } of this.#store.list()) {
      const comparison = this.#reconciler.comparisonOf(metadata.name);
      if (comparison && !comparison.loaded) this.refresh(metadata.name, 'load');
    }
  }

  /** Every application is looked at again with what is loaded, e.g. when settings have changed. */
  reconsider(): void {
    for (const { metadata } of this.#store.list()) this.#wake(metadata.name);
  }

  /** Resolves when the first lists are in. */
  async start({ signal }: { signal: AbortSignal }): Promise<{ running: Promise<void> }> {
    this.#signal = signal;
    this.#store.onChange((change) => this.#onApplication(change));
    this.#clusters.onChange((server) => this.#onCluster(server));
    this.#clusters.onLive((change) => {
      const ours = [...change.applications].flatMap((name) => this.#store.get(name) ?? []);
      for (const { metadata } of ours) this.#reconciler.touch(metadata.name); // the next poll looks, whoever else need not
      // An operation under way goes on by what comes back of its own writes, be it new or not.
      const isOperating = ours.some(({ operation, status }) => operation || isRunning(status?.operationState));
      if (isOperating) this.#onLive(change);
      else if (ours.length > 0) this.#updates.judge(change, () => this.#onLive(change));
    });
    this.#projects.onChange(({ object }) => this.#onProject(object.metadata.name));
    const watching = [this.#store.run({ signal }), this.#projects.run({ signal })];
    await Promise.all([this.#store.synced({ signal }), this.#projects.synced({ signal })]);
    return { running: Promise.all(watching).then(() => this.#reconciler.stop()) };
  }

  /** Looks at all Applications, and at each as often as needed, until the signal aborts; resolves when all looks ended. */
  async act({ signal }: { signal: AbortSignal }): Promise<void> {
    this.#queue = this.#newQueue();
    this.#reconciler.forget(); // another engine may have acted since
    for (const { metadata } of this.#store.list()) this.refresh(metadata.name, 'load');
    await runWorkers({
      queue: this.#queue,
      concurrency: this.#concurrency,
      reconcile: (name, context) => this.#reconciler.reconcile(name, context),
      signal,
      log: this.#log,
    });
  }

  #onLive({ applications }: LiveChange): void {
    for (const name of applications) if (this.#store.get(name)) this.#queue.addAfter(name, burstMs);
  }

  #onApplication({ type, application }: ApplicationChange): void {
    // Those that are there when the engine starts come together and share what is read from their repositories.
    if (type === 'add') this.#reconciler.demand(application.metadata.name, 'load');
    // No touch: by its version it shows whether this is more than what the last look has written.
    this.#queue.add(application.metadata.name);
  }

  #wake(name: string): void {
    this.#reconciler.touch(name);
    this.#queue.add(name);
  }

  /** Also those that name no cluster we know: one may have come. */
  #onCluster(server: string): void {
    for (const { metadata, spec } of this.#store.list()) {
      const choice = this.#clusters.find(spec?.destination);
      if (!choice.ok || choice.cluster.entry.server === server) this.#wake(metadata.name);
    }
  }

  #onProject(name: string): void {
    const isMember = ({ spec }: Application) => spec?.project === name;
    for (const { metadata } of this.#store.list().filter(isMember)) this.#wake(metadata.name);
  }
}

/** Many applications share few sources, but for their paths. */
function affectedBy(event: PushEvent): (source: ApplicationSource) => boolean {
  const known = new Map<string, boolean>();
  return ({ repoURL, targetRevision = '' }) => {
    const key = `${targetRevision} ${repoURL}`;
    const isAffected = known.get(key) ?? affectsRevision(event, repoURL, targetRevision);
    known.set(key, isAffected);
    return isAffected;
  };
}

function projectInformer(client: KubeClient, namespace: string, log: Logger): Informer {
  return new Informer({ client, query: { apiVersion: argoApiVersion, kind: 'AppProject', namespace }, log });
}

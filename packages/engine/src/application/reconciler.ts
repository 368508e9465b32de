// One look at one Application: load its source if that is due, compare, sync if that is due, write the status if it
// changed. Level-triggered: what to do follows from the Application, the source and the cluster, never from the event.
import {
  type Clock,
  isAbortError,
  type Logger,
  type Random,
  RetryableError,
  TerminalError,
  toKubeTime,
} from '@fairlead/base';
import type { Application, ApplicationStatus, OperationState } from '@fairlead/contracts';
import { isConflict, isNotFound, type KubeObject, type ReconcileResult } from '@fairlead/kube';
import type { LoadedSources, PushLook, SourceLoader } from '@fairlead/render';
import type { Clusters } from '../clusters/index.ts';
import type { IgnoreRule } from '../diff/index.ts';
import type { HealthOf, HealthReady } from '../health/index.ts';
import { permitsSync, type SyncWindow } from '../project/index.ts';
import type { PollTimes } from '../settings/index.ts';
import type { SyncHook } from '../sync/index.ts';
import { checkSpec } from './app-spec.ts';
import type { ApplicationStore } from './application-store.ts';
import { atRestAfter } from './at-rest.ts';
import { decideAutoSync } from './auto-sync.ts';
import { Comparer, contextOf } from './comparer.ts';
import type { Comparison } from './comparison.ts';
import { Conditions, type Problem } from './conditions.ts';
import { ApplicationDeleter } from './deleter.ts';
import { withJournalEntry } from './journal.ts';
import { Memories, type Memory } from './memories.ts';
import { metadataFor } from './metadata.ts';
import { advanceOperation, beginOperation, isRunning, type OperationDeps } from './operation.ts';
import { kindsServed } from './operation-checks.ts';
import { limitProblem, limitsOf } from './project-limits.ts';
import { Rest } from './rest.ts';
import { RevisionWrites } from './revision-writes.ts';
import type { RefreshLevel } from './source-refresh.ts';
import { sourcesOf } from './sources.ts';
import { isSameButRevision, isSameStatus, statusOf } from './status.ts';
import { unreachable } from './unreachable.ts';

export interface ReconcilerDeps {
  readonly store: ApplicationStore;
  readonly clusters: Clusters;
  readonly sources: SourceLoader;
  readonly projectOf: (name: string) => KubeObject | undefined;
  readonly healthOf: HealthOf;
  readonly healthReady: HealthReady;
  /** That hold for every application, by `argocd-cm`. */
  readonly ignoreRules: () => readonly IgnoreRule[];
  /** Fields whose changes make nobody look; undefined: every change counts. */
  readonly updateRules: () => readonly IgnoreRule[] | undefined;
  readonly namespace: string;
  /** Throws when this engine must not write any more; asked right before each write to a cluster. */
  readonly guard: () => void;
  /** Asked whenever it counts: settings change. */
  readonly polls: () => PollTimes;
  readonly waveDelayMs: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

type SpecOk = Extract<ReturnType<typeof checkSpec>, { ok: true }>;

const conflictMs = 100;
/** Schedules are in minutes; this is how late a window may be seen to open. */
const windowLookMs = 30_000;

export class ApplicationReconciler {
  readonly #deps: ReconcilerDeps;
  readonly #comparer: Comparer;
  readonly #deleter: ApplicationDeleter;
  readonly #conditions: Conditions;
  readonly #memories: Memories;
  readonly #rest: Rest;
  readonly revisionWrites: RevisionWrites;
  readonly counts = {
    reconciles: 0,
    restingPolls: 0,
    echoes: 0,
    revisionsLater: 0,
    loads: 0,
    syncs: 0,
    journalDropped: 0,
    failures: 0,
    conflicts: 0,
  };

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
    this.#comparer = new Comparer(deps);
    this.#conditions = new Conditions(deps);
    this.revisionWrites = new RevisionWrites({ clock: deps.clock, applications: () => deps.store.size });
    this.#rest = new Rest({ ...deps, revisionWrites: this.revisionWrites, counts: this.counts });
    this.#memories = new Memories({
      ...deps,
      onLoad: () => this.counts.loads++,
      onFailure: (name, error) => {
        this.counts.failures++;
        deps.log.warn({ name, error }, 'source could not be loaded');
      },
    });
    this.#deleter = new ApplicationDeleter({
      ...deps,
      hooksOf: (application, signal) => this.#hooksOf(application, signal),
      tell: (application, conditions, signal) => this.#conditions.add(application, conditions, signal),
    });
  }

  stop(): Promise<void> {
    return this.#comparer.stop();
  }

  readonly withoutSelected: Comparer['withoutSelected'] = (object, expressions) =>
    this.#comparer.withoutSelected(object, expressions);

  /** Nothing of what was loaded and compared counts any longer. */
  forget(): void {
    this.#memories.clear();
  }

  /** The last comparison, as long as the engine has made one since it started. */
  comparisonOf(name: string): Comparison | undefined {
    return this.#memories.find(name)?.comparison;
  }

  /** The sync windows of its project that are about the Application. */
  windowsOf(name: string): readonly SyncWindow[] {
    const application = this.#deps.store.get(name);
    const spec = application && checkSpec(application, this.#deps);
    return spec?.ok ? spec.windows : [];
  }

  /** The next look at the Application does at least this much. */
  demand(name: string, level: RefreshLevel, asOfMs?: number): void {
    this.#memories.of(name).refresh.demand(level, asOfMs);
  }

  /** Something that a look at the Application would see may have changed. */
  touch(name: string): void {
    const memory = this.#memories.find(name);
    if (memory) memory.touches++;
  }

  /** Whether what was loaded for the Application is no longer what `look` sees; yes when nothing was loaded. */
  async isMoved(application: Application, look: PushLook): Promise<boolean> {
    const refresh = this.#memories.find(application.metadata.name)?.refresh;
    if (!refresh?.isSettled || 'error' in refresh.current) return true;
    return look.isMoved(sourcesOf(application), refresh.current);
  }

  async reconcile(name: string, { signal }: { signal: AbortSignal }): Promise<ReconcileResult> {
    this.counts.reconciles++;
    const application = this.#deps.store.get(name);
    if (!application) {
      this.#memories.forget(name);
      return undefined;
    }
    try {
      const resting = await this.#rest.pollIfDue(application, this.#memories.find(name), signal);
      if (resting) return resting;
      if (application.metadata.deletionTimestamp) return await this.#deleter.advance(application, signal);
      const spec = checkSpec(application, this.#deps);
      if (!spec.ok) return await this.#conditions.refuse(application, spec.problems, signal);
      const unready = unreachable(spec.cluster);
      if (unready) return await this.#conditions.refuse(application, unready, signal);
      return await this.#look(application, spec, signal);
    } catch (error) {
      if (signal.aborted && isAbortError(error)) throw error;
      if (!isConflict(error) && !isNotFound(error)) {
        await this.#conditions.tell(application, error, signal);
        throw error;
      }
      // Somebody wrote the Application at the same time, or deleted it: look again with what the watch brings.
      this.counts.conflicts++;
      return { requeueAfterMs: conflictMs };
    }
  }

  async #look(application: Application, spec: SpecOk, signal: AbortSignal): Promise<ReconcileResult> {
    const { store, clock } = this.#deps;
    const memory = this.#memories.of(application.metadata.name);
    const { touches } = memory;
    memory.atRest = undefined;
    await memory.refresh.loadIfDue(application, contextOf(application, spec), signal);
    const comparison = await this.#compare(application, { memory, spec, signal });
    const nowMs = clock.now();
    const running = this.#operationOf(application);
    const isOpen = permitsSync(spec.windows, { nowMs, isManual: false });
    const decision = running || !isOpen ? undefined : decideAutoSync({ application, comparison, nowMs });
    const started = decision?.decision === 'sync' ? beginOperation(decision.operation, application, clock) : undefined;
    const state = running ?? started;
    const conditions = [...comparison.conditions];
    if (decision?.decision === 'refuse') conditions.push({ type: 'SyncError', message: decision.message });
    const isTaken = state !== undefined && !isRunning(application.status?.operationState);
    const status = {
      ...this.#statusOf(application, comparison, conditions),
      ...(state ? { operationState: state } : {}),
    };
    const isChanged = !isSameStatus(application.status, status);
    const metadata = metadataFor(application, comparison);
    let current = application;
    const isPutOff = isChanged && !isTaken && !metadata && this.#isPutOff(application, status, memory);
    if (isTaken || metadata || (isChanged && !isPutOff)) {
      const fields = {
        ...(isTaken && application.operation ? { operation: null } : {}),
        ...(metadata ? { metadata } : {}),
      };
      const hasFields = Object.keys(fields).length > 0;
      // Finalizers are written as a whole list, so nobody may have changed it meanwhile.
      const exclusive = isTaken || metadata?.finalizers !== undefined;
      current = await store.write(application, { status, fields: hasFields ? fields : undefined, exclusive, signal });
    }
    if (!state && !isPutOff && decision?.decision !== 'later')
      memory.atRest = atRestAfter(current, { before: application, status, spec, comparison, touches });
    let requeueMs = memory.refresh.untilPollMs;
    if (!isOpen) requeueMs = Math.min(requeueMs, windowLookMs);
    if (decision?.decision === 'later') requeueMs = Math.min(requeueMs, decision.afterMs);
    if (state)
      requeueMs = Math.min(
        requeueMs,
        await this.#operate(current, { memory, spec, comparison, isFresh: isTaken, signal }),
      );
    return { requeueAfterMs: requeueMs };
  }

  #isPutOff(application: Application, status: ApplicationStatus, memory: Memory): boolean {
    if (!memory.refresh.isOfPoll || !isSameButRevision(application.status, status)) return false;
    const isLater = !this.#rest.mayWriteRevision(application, memory);
    memory.hasTurn = false;
    if (isLater) this.counts.revisionsLater++;
    return isLater;
  }

  async #operate(
    application: Application,
    look: { memory: Memory; spec: SpecOk; comparison: Comparison; isFresh: boolean; signal: AbortSignal },
  ): Promise<number> {
    const { store, clock, log, waveDelayMs } = this.#deps;
    const { memory, spec, signal } = look;
    const { cache } = spec.cluster;
    const client = spec.cluster.client.guardedBy(this.#deps.guard);
    const state = application.status?.operationState;
    if (!state) return Number.POSITIVE_INFINITY;
    const deps: OperationDeps = {
      cache,
      clock,
      log,
      healthOf: this.#deps.healthOf,
      healthReady: this.#deps.healthReady,
      limits: limitsOf(spec),
      ignoreRules: spec.ignoreRules,
      isBlocked: (isManual) => !permitsSync(spec.windows, { nowMs: clock.now(), isManual }),
      servedKind: kindsServed(client, signal),
      waveDelayMs,
      pause: memory.pause,
      apply: {
        client,
        signal,
        liveOf: (ref) => cache.get(ref),
        observe: (object) => cache.observe(object),
        forget: (object) => cache.forget(object),
        dependentsOf: (uid) => cache.children(uid),
      },
      compareAt: (revisions) => this.#comparer.compareAt(application, spec, { revisions, signal }),
      checkpoint: (current, operationState) =>
        store.write(current, { status: { ...current.status, operationState }, exclusive: true, signal }),
    };
    const progress = await advanceOperation({ ...look, application, state }, deps);
    const current = progress.application;
    const comparison = progress.hasRun ? await this.#compare(current, { memory, spec, signal }) : look.comparison;
    const status = { ...this.#statusOf(current, comparison, comparison.conditions), ...progress.status };
    const hasEnded = !isRunning(progress.status.operationState);
    const fields = hasEnded ? this.#journaled(current, progress.status.operationState) : undefined;
    if (fields || !isSameStatus(current.status, status))
      await store.write(current, { status, fields, exclusive: true, signal });
    const isAfterwards = hasEnded && comparison.sync === 'OutOfSync';
    return progress.requeueAfterMs ?? (isAfterwards ? 0 : Number.POSITIVE_INFINITY);
  }

  #journaled(application: Application, ended: OperationState | undefined) {
    if (!ended) return undefined;
    const { annotations, dropped } = withJournalEntry(application, ended);
    this.counts.syncs++;
    this.counts.journalDropped += dropped;
    return { metadata: { annotations } };
  }

  /** The operation that is under way, or that somebody has asked for by the `operation` field. */
  #operationOf(application: Application) {
    const state = application.status?.operationState;
    if (isRunning(state)) return state;
    return application.operation ? beginOperation(application.operation, application, this.#deps.clock) : undefined;
  }

  #statusOf(application: Application, comparison: Comparison, conditions: readonly Problem[]) {
    const { namespace, clock } = this.#deps;
    return statusOf({ application, comparison, conditions, namespace, now: toKubeTime(clock.now()) });
  }

  async #compare(
    application: Application,
    { memory, spec, signal }: { memory: Memory; spec: SpecOk; signal: AbortSignal },
  ): Promise<Comparison> {
    const look = { source: memory.refresh.current, memory: memory.comparisons, signal };
    const comparison = await this.#comparer.compare(application, spec, look);
    memory.comparison = comparison;
    return comparison;
  }

  async loadAt(name: string, revisions: readonly string[], signal: AbortSignal): Promise<LoadedSources> {
    const application = this.#deps.store.get(name);
    const choice = application && this.#deps.clusters.find(application.spec.destination);
    if (!application || !choice) throw new TerminalError('application_gone', `application ${name} is gone`);
    if (!choice.ok) throw new TerminalError('application_without_cluster', `${name}: ${choice.problem}`);
    const spec = { cluster: choice.cluster, project: this.#deps.projectOf(application.spec.project) };
    return this.#comparer.load(application, spec, { revisions, signal });
  }

  /** For a deletion: the hooks of the source as it is now. */
  async #hooksOf(application: Application, signal: AbortSignal): Promise<readonly SyncHook[]> {
    const spec = checkSpec(application, this.#deps);
    if (!spec.ok) throw new TerminalError('application_invalid', spec.problems.map((p) => p.message).join('; '));
    const memory = this.#memories.of(application.metadata.name);
    await memory.refresh.loadIfDue(application, contextOf(application, spec), signal);
    const { current } = memory.refresh;
    if ('error' in current) {
      throw new RetryableError('delete_hooks_unknown', `the hooks of the deletion cannot be read: ${current.error}`);
    }
    const { hooks } = await this.#compare(application, { memory, spec, signal });
    const { name } = application.metadata;
    // A hook that the project forbids never ran in a sync either; it must not hold up the deletion.
    return hooks.filter((hook) => limitProblem(limitsOf(spec), name, hook) === undefined);
  }
}

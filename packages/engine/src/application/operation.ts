// One sync operation, taken as far as it goes now. Everything it has done stands in `status.operationState`, so it can
// be taken up after a crash; before each step the state is compared-and-swapped by resourceVersion, so two engines
// cannot both carry out a step, and each write asks the guard of the one engine that acts.
import { type Clock, errorMessage, type Logger, TerminalError, toKubeTime } from '@fairlead/base';
import type { Application, ApplicationStatus, Operation, OperationPhase, OperationState } from '@fairlead/contracts';
import { equalJson, type GroupVersionKind, isRecord, type KubeObject, listAt, valueAt } from '@fairlead/kube';
import type { LoadedSources } from '@fairlead/render';
import { type IgnoreRule, ignoredPointers, withLiveValues } from '../diff/index.ts';
import type { HealthOf, HealthReady } from '../health/index.ts';
import type { ClusterCache } from '../live/index.ts';
import {
  type ApplyDeps,
  applyStep,
  deletionOf,
  parseSyncOptions,
  planSync,
  progressOf,
  type SyncOptions,
  type SyncPlan,
  type SyncTask,
  type TaskResult,
} from '../sync/index.ts';
import type { ComparedResource, Comparison } from './comparison.ts';
import { missingNamespace, namelessObjects, refusalOf, unconfirmedPrunes, unknownKinds } from './operation-checks.ts';
import { cleanUpHooks, endHooks, hasUnrecorded, isResultOf, releaseFinished } from './operation-hooks.ts';
import type { ProjectLimits } from './project-limits.ts';
import { retryPolicyOf } from './retry-policy.ts';
import { revisionFields, revisionsIn, sourceFields } from './sources.ts';
import { withHistory } from './status.ts';

export interface OperationDeps {
  readonly cache: Pick<ClusterCache, 'get'>;
  readonly apply: ApplyDeps;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits: ProjectLimits;
  readonly ignoreRules: readonly IgnoreRule[];
  readonly healthOf: HealthOf;
  readonly healthReady: HealthReady;
  /** By a sync window of the project. */
  readonly isBlocked: (isManual: boolean) => boolean;
  readonly servedKind: (kind: GroupVersionKind) => Promise<GroupVersionKind | undefined>;
  /** Between the steps of a sync, so that other controllers see one before the next begins. */
  readonly waveDelayMs: number;
  /** Monotonic time before which the next step must not begin. */
  readonly pause: { untilMs: number };
  /** Compares with the manifests of another revision than the one at hand. */
  readonly compareAt: (revisions: readonly string[]) => Promise<Comparison>;
  /** Compare-and-swap of the operation's state; throws a conflict when the Application has changed. */
  readonly checkpoint: (application: Application, state: OperationState) => Promise<Application>;
}

export interface OperationProgress {
  readonly application: Application;
  /** To be written by the caller, together with the rest of the status. */
  readonly status: Pick<ApplicationStatus, 'operationState' | 'history'>;
  readonly requeueAfterMs?: number;
  /** False when nothing was touched since the comparison that was given. */
  readonly hasRun: boolean;
}

const waitBackstopMs = 10_000;

export function beginOperation(operation: Operation, application: Application, clock: Clock): OperationState {
  const syncResult = { revision: '', ...revisionsOf(operation), ...sourceFields(application), resources: [] };
  return {
    operation,
    phase: 'Running',
    startedAt: toKubeTime(clock.now()),
    syncResult,
  };
}

export const isRunning = (state: OperationState | undefined): state is OperationState =>
  state?.phase === 'Running' || state?.phase === 'Terminating';

export async function advanceOperation(
  start: { application: Application; state: OperationState; comparison: Comparison; isFresh: boolean },
  deps: OperationDeps,
): Promise<OperationProgress> {
  const run = new OperationRun(start.application, start.state, deps);
  if (start.state.phase === 'Terminating') return run.terminate();
  if (run.isBlocked()) return run.wait('Sync operation blocked by sync window');
  const pauseMs = Math.max(run.pauseMs(), deps.pause.untilMs - deps.clock.monotonic());
  if (pauseMs > 0) return { ...run.progress(), requeueAfterMs: pauseMs };
  try {
    return await run.carryOut(start.comparison, start.isFresh);
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error;
    return run.end('Error', errorMessage(error));
  }
}

class OperationRun {
  #application: Application;
  #state: OperationState;
  #hasRun: boolean = false;
  readonly #deps: OperationDeps;

  constructor(application: Application, state: OperationState, deps: OperationDeps) {
    this.#application = application;
    this.#state = state;
    this.#deps = deps;
  }

  /** Between attempts the state is Running with `finishedAt` set, as Argo CD has it. */
  pauseMs(): number {
    const { finishedAt, retryCount = 0, operation } = this.#state;
    if (!finishedAt) return 0;
    const dueMs = Date.parse(finishedAt) + retryPolicyOf(operation).delayMs(retryCount - 1);
    const leftMs = dueMs - this.#deps.clock.now();
    if (leftMs > 0) return leftMs;
    const { finishedAt: _over, ...rest } = this.#state;
    this.#state = withResources({ ...rest, phase: 'Running' }, []);
    return 0;
  }

  /** Only what has not begun is held back: a sync in progress ends its work. */
  isBlocked(): boolean {
    if (this.#results().length > 0) return false;
    return this.#deps.isBlocked(this.#state.operation.initiatedBy?.automated !== true);
  }

  async carryOut(atHand: Comparison, isFresh: boolean): Promise<OperationProgress> {
    const sync = this.#state.operation.sync ?? {};
    const pinned = revisionsIn(sync);
    const isAtHand = pinned.length === 0 || equalJson(pinned, atHand.loaded?.revisions);
    const comparison = isAtHand ? atHand : await this.#deps.compareAt(pinned);
    const { loaded, resources } = comparison;
    if (!loaded) return this.end('Error', comparison.conditions[0]?.message ?? 'the source could not be loaded');
    this.#state = withRevisions(this.#state, loaded);
    const options = this.#options();
    const asked = { application: this.#application, operation: this.#state.operation, options };
    const refusal = refusalOf(asked, comparison, this.#deps.limits);
    if (refusal) return this.end('Failed', refusal);
    const namespace = missingNamespace(this.#application, resources, (ref) => this.#deps.cache.get(ref));
    const selected = sync.resources?.map(({ group = '', ...rest }) => ({ group, ...rest }));
    const { startedAt, retryCount: attempt = 0 } = this.#state;
    const run = { revision: loaded.revisions[0] ?? '', startedAt, attempt };
    const pairs = options.respectIgnoreDifferences ? resources.map((pair) => this.#respected(pair)) : resources;
    const plan = planSync({ pairs, hooks: comparison.hooks, run, options, selected, missingNamespace: namespace });
    const unconfirmed = unconfirmedPrunes(asked, plan, { resources, startedAt });
    if (unconfirmed) return this.wait(unconfirmed);
    const invalid = this.#results().length === 0 ? await unknownKinds(plan, options, this.#deps.servedKind) : [];
    if (invalid.length > 0) {
      this.#state = withResources(this.#state, invalid);
      return this.#retryOrFail('one or more synchronization tasks are not valid');
    }
    const nameless = namelessObjects(plan);
    if (nameless.length > 0) {
      this.#state = withResources(this.#state, nameless);
      return this.#retryOrFail('one or more objects failed to apply (dry run)');
    }
    return this.#runPlan(plan, options, isFresh);
  }

  /** Fields that are not compared are not written either. */
  #respected(pair: ComparedResource): ComparedResource {
    const { target, live } = pair;
    if (!target || !live) return pair;
    return { ...pair, target: withLiveValues(target, live, ignoredPointers(live, this.#deps.ignoreRules)) };
  }

  async #runPlan(plan: SyncPlan, options: SyncOptions, isFresh: boolean): Promise<OperationProgress> {
    const { cache, clock, apply, pause, waveDelayMs, healthOf, healthReady } = this.#deps;
    const { dryRun } = options;
    for (let isSwapped = isFresh; ; isSwapped = false) {
      const before = this.#results();
      if (!dryRun) await healthReady(liveIn(plan, cache));
      const { results, action } = progressOf({
        plan,
        results: before,
        liveOf: (ref) => cache.get(ref),
        healthOf,
        dryRun,
      });
      this.#state = withResources(this.#state, results);
      if (!dryRun && hasUnrecorded(plan, results, this.#application.status?.operationState?.syncResult?.resources)) {
        this.#application = await this.#deps.checkpoint(this.#application, this.#state);
        isSwapped = true;
      }
      if (!dryRun) await releaseFinished(plan, results, apply);
      if (action.next === 'finish' || action.next === 'fail') {
        if (!dryRun) await cleanUpHooks(plan, action.next === 'finish', options, apply);
        return action.next === 'finish' ? this.end('Succeeded', action.message) : this.#retryOrFail(action.message);
      }
      if (action.next === 'wait') return this.wait(action.message);
      if (!isSwapped) this.#application = await this.#deps.checkpoint(this.#application, this.#state);
      this.#hasRun = true;
      const done = await applyStep(action.tasks, options, apply);
      this.#state = withResources(this.#state, [...results, ...done]);
      const late = action.tasks.filter((task) => !done.some((result) => isResultOf(result, task)));
      if (late[0]) return this.wait(deletionOf(late[0], late.length));
      if (action.isLast || dryRun || waveDelayMs === 0 || !needsDelay(action.tasks)) continue;
      pause.untilMs = clock.monotonic() + waveDelayMs;
      return { ...this.progress(), requeueAfterMs: waveDelayMs };
    }
  }

  #results(): readonly TaskResult[] {
    return this.#state.syncResult?.resources ?? [];
  }

  wait(message: string): OperationProgress {
    this.#state = { ...this.#state, message };
    return { ...this.progress(), requeueAfterMs: waitBackstopMs };
  }

  /** Ended by a person: hooks that still run are deleted. */
  async terminate(): Promise<OperationProgress> {
    const { cache, apply } = this.#deps;
    const results = await endHooks(this.#results(), (ref) => cache.get(ref), apply);
    this.#state = withResources(this.#state, results);
    this.#hasRun = true;
    return this.end('Failed', 'Operation terminated');
  }

  progress(): OperationProgress {
    return { application: this.#application, status: { operationState: this.#state }, hasRun: this.#hasRun };
  }

  end(phase: OperationPhase, message: string): OperationProgress {
    const now = toKubeTime(this.#deps.clock.now());
    const resources = (this.#state.syncResult?.resources ?? []).map((result) => settled(result, phase));
    this.#state = { ...withResources(this.#state, resources), phase, message, finishedAt: now };
    const { sync, initiatedBy } = this.#state.operation;
    const isFull = phase === 'Succeeded' && !sync?.resources && !sync?.dryRun;
    const fields = {
      name: this.#application.metadata.name,
      phase,
      message,
      revision: this.#state.syncResult?.revision,
    };
    this.#deps.log[phase === 'Succeeded' ? 'info' : 'warn'](fields, 'sync operation ended');
    if (!isFull) return this.progress();
    const history = withHistory(this.#application, {
      revision: '',
      ...revisionsOf({ sync: this.#state.syncResult ?? {} }),
      deployedAt: now,
      deployStartedAt: this.#state.startedAt,
      ...sourceFields(this.#application),
      ...(initiatedBy ? { initiatedBy } : {}),
    });
    return { ...this.progress(), status: { operationState: this.#state, history } };
  }

  #retryOrFail(message: string): OperationProgress {
    const { retryCount = 0, operation } = this.#state;
    const { limit, delayMs } = retryPolicyOf(operation);
    if (limit >= 0 && retryCount >= limit) {
      return this.end('Failed', retryCount > 0 ? `${message} (retried ${retryCount} times).` : message);
    }
    const finishedAt = toKubeTime(this.#deps.clock.now());
    const note = `${message}. Retrying attempt #${retryCount + 1} in ${Math.round(delayMs(retryCount) / 1000)} s.`;
    this.#state = { ...this.#state, retryCount: retryCount + 1, finishedAt, message: note };
    return { ...this.progress(), requeueAfterMs: delayMs(retryCount) };
  }

  /** Those of the operation alone: whoever begins one hands the policy's options over, as Argo CD has it. */
  #options(): SyncOptions {
    const { sync } = this.#state.operation;
    const { prune = false, dryRun = false, syncOptions = [] } = sync ?? {};
    const strategy = valueAt(sync, 'syncStrategy');
    const force = ['apply', 'hook'].some((kind) => valueAt(strategy, kind, 'force') === true);
    const skipHooks = isRecord(valueAt(strategy, 'apply'));
    return parseSyncOptions(syncOptions, { prune, dryRun, force, skipHooks });
  }
}

const liveIn = ({ steps }: SyncPlan, cache: Pick<OperationDeps['cache'], 'get'>): KubeObject[] =>
  steps.flatMap(({ tasks }) => tasks.flatMap(({ ref }) => cache.get(ref) ?? []));

/** A namespace made for the destination is usable at once: no controller has to see it before what goes into it. */
const needsDelay = (tasks: readonly SyncTask[]) => tasks.some(({ action }) => action !== 'create-namespace');

function withResources(state: OperationState, resources: readonly TaskResult[]): OperationState {
  return {
    ...state,
    syncResult: { ...state.syncResult, revision: state.syncResult?.revision ?? '', resources: [...resources] },
  };
}

function withRevisions(state: OperationState, loaded: LoadedSources): OperationState {
  return { ...state, syncResult: { revision: '', ...state.syncResult, ...revisionFields(loaded) } };
}

function revisionsOf({ sync }: { readonly sync?: object }): { revision?: string; revisions?: string[] } {
  const several = listAt(sync, 'revisions').length > 0;
  const known = revisionsIn(sync);
  return several ? { revisions: [...known] } : { revision: known[0] ?? '' };
}

/** What was applied in an operation that succeeded counts as done. */
function settled(result: TaskResult, phase: OperationPhase): TaskResult {
  const isOver = phase === 'Succeeded' && result.status === 'Synced';
  return isOver ? { ...result, hookPhase: 'Succeeded' } : result;
}

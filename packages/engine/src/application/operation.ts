// One sync operation, taken as far as it goes now. Everything it has done stands in `status.operationState`, so it can
// be taken up after a crash; before each step the state is compared-and-swapped by resourceVersion, so two engines
// cannot both carry out a step.
import { type Clock, errorMessage, type Logger, TerminalError, toKubeTime } from '@fairlead/base';
import type {
  Application,
  ApplicationStatus,
  Operation,
  OperationPhase,
  OperationState,
  ResourceResult,
} from '@fairlead/contracts';
import { type KubeObject, listAt, valueAt } from '@fairlead/kube';
import type { ClusterCache } from '../live/index.ts';
import { permitsKind } from '../project/index.ts';
import { type ApplyDeps, applyStep, nextAction, parseSyncOptions, planSync, type SyncOptions } from '../sync/index.ts';
import type { ComparedResource, Comparison } from './comparison.ts';
import { retryPolicyOf } from './retry-policy.ts';
import { withHistory } from './status.ts';

export interface OperationDeps {
  readonly cache: Pick<ClusterCache, 'get'>;
  readonly apply: ApplyDeps;
  readonly clock: Clock;
  readonly log: Logger;
  readonly project: KubeObject;
  /** Compares with the manifests of another revision than the one at hand. */
  readonly compareAt: (revision: string) => Promise<Comparison>;
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
  const { source } = application.spec;
  return {
    operation,
    phase: 'Running',
    startedAt: toKubeTime(clock.now()),
    syncResult: { revision: operation.sync?.revision ?? '', ...(source ? { source } : {}), resources: [] },
  };
}

export const isRunning = (state: OperationState | undefined): state is OperationState =>
  state?.phase === 'Running' || state?.phase === 'Terminating';

export async function advanceOperation(
  start: { application: Application; state: OperationState; comparison: Comparison; isFresh: boolean },
  deps: OperationDeps,
): Promise<OperationProgress> {
  const run = new OperationRun(start.application, start.state, deps);
  if (start.state.phase === 'Terminating') return run.end('Failed', 'Operation terminated');
  const pauseMs = run.pauseMs();
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

  async carryOut(atHand: Comparison, isFresh: boolean): Promise<OperationProgress> {
    const sync = this.#state.operation.sync ?? {};
    const isAtHand = !sync.revision || sync.revision === atHand.loaded?.revision;
    const comparison = isAtHand ? atHand : await this.#deps.compareAt(sync.revision ?? '');
    const { loaded, resources } = comparison;
    if (!loaded) return this.end('Error', comparison.conditions[0]?.message ?? 'the source could not be loaded');
    this.#state = withRevision(this.#state, loaded.revision);
    const options = this.#options();
    const refusal = this.#refusal(resources, options);
    if (refusal) return this.end('Failed', refusal);
    const missingNamespace = this.#missingNamespace(resources);
    const selected = sync.resources?.map(({ group = '', ...rest }) => ({ group, ...rest }));
    const plan = planSync({ pairs: resources, options, selected, missingNamespace });
    for (let isSwapped = isFresh; ; isSwapped = false) {
      const results = this.#state.syncResult?.resources ?? [];
      const next = nextAction({ plan, results, liveOf: (task) => this.#deps.cache.get(task.ref) });
      if (next.next === 'finish') return this.end('Succeeded', next.message);
      if (next.next === 'fail') return this.#retryOrFail(failureText(next.message, results));
      if (next.next === 'wait') {
        this.#state = { ...this.#state, message: next.message };
        return { ...this.progress(), requeueAfterMs: waitBackstopMs };
      }
      if (!isSwapped) this.#application = await this.#deps.checkpoint(this.#application, this.#state);
      this.#hasRun = true;
      const done = await applyStep(next.tasks, options, this.#deps.apply);
      this.#state = withResources(this.#state, [...results, ...done]);
    }
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
    const { source } = this.#application.spec;
    const fields = {
      name: this.#application.metadata.name,
      phase,
      message,
      revision: this.#state.syncResult?.revision,
    };
    this.#deps.log[phase === 'Succeeded' ? 'info' : 'warn'](fields, 'sync operation ended');
    if (!isFull) return this.progress();
    const history = withHistory(this.#application, {
      revision: this.#state.syncResult?.revision ?? '',
      deployedAt: now,
      deployStartedAt: this.#state.startedAt,
      ...(source ? { source } : {}),
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

  #options(): SyncOptions {
    const { prune = false, dryRun = false, syncOptions = [] } = this.#state.operation.sync ?? {};
    const own = this.#application.spec.syncPolicy?.syncOptions ?? [];
    return parseSyncOptions([...new Set([...own, ...syncOptions])], { prune, dryRun });
  }

  /** Why the sync as a whole must not happen. */
  #refusal(resources: readonly ComparedResource[], options: SyncOptions): string | undefined {
    const unsupported = unsupportedPart(this.#state.operation);
    if (unsupported) return `operation.sync.${unsupported} is not supported yet`;
    const { project } = this.#deps;
    for (const { ref, namespaced, target } of resources) {
      if (!target || permitsKind(project, { ...ref, namespaced })) continue;
      return `resource ${ref.group}:${ref.kind} is not permitted in project ${project.metadata.name}`;
    }
    const { automated, sync } = { automated: this.#state.operation.initiatedBy?.automated, ...this.#state.operation };
    const hasTargets = resources.some(({ target }) => target !== undefined);
    const allowEmpty = this.#application.spec.syncPolicy?.automated?.allowEmpty === true;
    if (automated && !hasTargets && options.prune && !allowEmpty && !sync?.resources) {
      return 'the source renders to nothing, and allowEmpty is not set';
    }
    return undefined;
  }

  #missingNamespace(resources: readonly ComparedResource[]): KubeObject | undefined {
    const name = this.#application.spec.destination.namespace;
    if (!name) return undefined;
    const ref = { group: '', kind: 'Namespace', name };
    const isInSource = resources.some(
      ({ ref: own, target }) => target && own.kind === 'Namespace' && own.name === name,
    );
    if (isInSource || this.#deps.cache.get(ref)) return undefined;
    return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  }
}

/** Parts of an operation that would change its outcome, and that this engine does not carry out. */
function unsupportedPart({ sync }: Operation): string | undefined {
  if (listAt(sync, 'manifests').length > 0) return 'manifests';
  if (listAt(sync, 'sources').length > 0) return 'sources';
  if (valueAt(sync, 'source') !== undefined) return 'source';
  const isForced = ['apply', 'hook'].some((strategy) => valueAt(sync, 'syncStrategy', strategy, 'force') === true);
  return isForced ? 'syncStrategy.force' : undefined;
}

function withResources(state: OperationState, resources: ResourceResult[]): OperationState {
  return { ...state, syncResult: { ...state.syncResult, revision: state.syncResult?.revision ?? '', resources } };
}

function withRevision(state: OperationState, revision: string): OperationState {
  return { ...state, syncResult: { ...state.syncResult, revision } };
}

/** What was applied in an operation that succeeded counts as done. */
function settled(result: ResourceResult, phase: OperationPhase): ResourceResult {
  const isOver = phase === 'Succeeded' && result.status === 'Synced';
  return isOver ? { ...result, hookPhase: 'Succeeded' } : result;
}

function failureText(message: string, results: readonly ResourceResult[]): string {
  const failed = results.filter((result) => result.status === 'SyncFailed');
  if (failed.length === 0) return message;
  const first = failed[0];
  const more = failed.length > 1 ? ` and ${failed.length - 1} more` : '';
  return `${message}: ${first?.kind}/${first?.name}: ${first?.message ?? ''}${more}`;
}

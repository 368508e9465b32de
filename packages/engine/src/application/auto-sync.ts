// Should the engine sync by itself now? Argo CD's rules, as one pure decision.
import type { Application, Operation } from '@fairlead/contracts';
import { equalJson } from '@fairlead/kube';
import type { ComparedResource, Comparison } from './comparison.ts';
import { isOfSameSources, revisionFields, revisionsIn, revisionText } from './sources.ts';

export type AutoSyncDecision =
  | { readonly decision: 'none' }
  | { readonly decision: 'sync'; readonly operation: Operation }
  /** Look again after this time. */
  | { readonly decision: 'later'; readonly afterMs: number }
  | { readonly decision: 'refuse'; readonly message: string };

interface AutoSyncInput {
  readonly application: Application;
  readonly comparison: Comparison;
  readonly nowMs: number;
}

const none: AutoSyncDecision = { decision: 'none' };
const healFirstMs = 2000;
const healFactor = 3;
const healMaxMs = 300_000;
const healCooldownMs = 330_000;

export function decideAutoSync({ application, comparison, nowMs }: AutoSyncInput): AutoSyncDecision {
  const { automated, retry, syncOptions } = application.spec.syncPolicy ?? {};
  const { loaded, resources } = comparison;
  if (!automated || automated.enabled === false || !loaded || comparison.sync !== 'OutOfSync') return none;
  const { prune = false, selfHeal = false, allowEmpty = false } = automated;
  const changed = resources.filter((resource) => resource.isOutOfSync && !isGoing(resource));
  if (changed.length === 0) return none;
  if (!prune && changed.every((resource) => resource.requiresPruning)) return none;
  if (prune && !allowEmpty && resources.every(({ requiresPruning, status }) => requiresPruning || !status)) {
    return {
      decision: 'refuse',
      message: `Skipping sync attempt to ${revisionText(loaded)}: auto-sync will wipe out all resources`,
    };
  }
  const sync = {
    ...revisionFields(loaded),
    ...(prune ? { prune } : {}),
    ...(syncOptions?.length ? { syncOptions } : {}),
  };
  const operation = { initiatedBy: { automated: true }, ...(retry ? { retry } : { retry: { limit: 5 } }) };
  const state = application.status?.operationState;
  if (!state || !wasAttempted(application, loaded.revisions))
    return { decision: 'sync', operation: { ...operation, sync } };
  if (state.phase !== 'Succeeded') {
    return {
      decision: 'refuse',
      message: `Failed last sync attempt to ${revisionText(loaded)}: ${state.message ?? ''}`,
    };
  }
  if (!selfHeal) return none;
  const { attempts, waitMs } = healing(application, nowMs);
  if (waitMs > 0) return { decision: 'later', afterMs: waitMs };
  const selected = changed
    .filter((resource) => prune || !resource.requiresPruning)
    .map(({ ref: { group, kind, namespace, name } }) => ({ group, kind, name, ...(namespace ? { namespace } : {}) }));
  const heal = { ...sync, resources: selected, autoHealAttemptsCount: attempts + 1 };
  return { decision: 'sync', operation: { ...operation, sync: heal } };
}

/** Pruned already, and waiting for its finalizers. */
const isGoing = ({ requiresPruning, live }: ComparedResource) =>
  requiresPruning && live?.metadata.deletionTimestamp !== undefined;

/** The same commit of the same source was synced before, with whatever result. */
function wasAttempted(application: Application, revisions: readonly string[]): boolean {
  const result = application.status?.operationState?.syncResult;
  return equalJson(revisionsIn(result), revisions) && isOfSameSources(result, application);
}

/** Each healing of the same state waits longer than the one before, until things were quiet for a while. */
function healing({ status }: Application, nowMs: number): { attempts: number; waitMs: number } {
  const state = status?.operationState;
  const finishedMs = Date.parse(state?.finishedAt ?? '') || 0;
  const sinceMs = nowMs - finishedMs;
  const attempts = sinceMs > healCooldownMs ? 0 : (state?.operation.sync?.autoHealAttemptsCount ?? 0);
  const delayMs = attempts === 0 ? 0 : Math.min(healMaxMs, healFirstMs * healFactor ** (attempts - 1));
  return { attempts, waitMs: Math.max(0, delayMs - sinceMs) };
}

// Why an application is not green, in words: deterministic rules over what is known, first that applies wins. No rule
// guesses: each quotes the evidence it stands on. An application that is healthy, synced and at rest has no explanation.
import type { Explanation } from '@fairlead/contracts';
import type { Evidence } from './evidence.ts';
import type { Rule } from './rule.ts';
import { brokenCondition } from './rules/conditions.ts';
import { differentFields, missingOrExtra, notSyncedYet } from './rules/differences.ts';
import { troubledPods } from './rules/pods.ts';
import { failedHook, failedOperation, refusedResource, waitingOperation } from './rules/sync-results.ts';
import { troubledWorkload } from './rules/workloads.ts';

/** What stops everything, then what is broken, then what is under way, then what merely differs. */
const rules: readonly Rule[] = [
  brokenCondition,
  failedHook,
  refusedResource,
  troubledPods,
  troubledWorkload,
  waitingOperation,
  failedOperation,
  differentFields,
  missingOrExtra,
  notSyncedYet,
];

export function explain(evidence: Evidence): Explanation | undefined {
  if (isGreen(evidence)) return undefined;
  for (const rule of rules) {
    const explanation = rule(evidence);
    if (explanation) return explanation;
  }
  return undefined;
}

function isGreen({ application: { status } }: Evidence): boolean {
  const errors = (status?.conditions ?? []).filter(({ type }) => type.endsWith('Error'));
  const phase = status?.operationState?.phase;
  const isAtRest = phase === undefined || phase === 'Succeeded';
  return status?.health?.status === 'Healthy' && status.sync?.status === 'Synced' && isAtRest && errors.length === 0;
}

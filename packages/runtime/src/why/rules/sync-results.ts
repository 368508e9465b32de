// What the API server answered to the last sync. Each row matches Kubernetes' own words.
import type { Application, Explanation, OperationState, Remedy, ResourceResult } from '@fairlead/contracts';
import { act, count, deployedCommit, hint, link, objectOf, type Rule } from '../rule.ts';

interface RefusalCause {
  readonly cause: string;
  readonly matches: RegExp;
  readonly headline: (result: ResourceResult, found: RegExpExecArray) => string;
  readonly remedies: readonly Remedy[];
}

const name = ({ kind, name: own }: ResourceResult) => `${kind} ${own}`;
const revert = act('revert', 'Revert the commit');
const again = act('sync', 'Synchronize again');

const causes: readonly RefusalCause[] = [
  {
    cause: 'namespace-terminating',
    matches: /namespace "?([\w-]+)"? .*(being terminated|is terminating)|because it is being terminated/i,
    headline: (_, found) => `The namespace ${found[1] ?? 'it goes to'} is being deleted.`,
    remedies: [hint('Wait until the namespace is gone, then synchronise'), again],
  },
  {
    cause: 'namespace-missing',
    matches: /namespaces? "([\w-]+)" not found/i,
    headline: (_, found) => `The namespace ${found[1]} does not exist.`,
    remedies: [hint('Set the sync option CreateNamespace=true, or make the namespace'), again],
  },
  {
    cause: 'version-not-served',
    matches: /could not find version "([^"]+)" of (\S+) for .* Version "([^"]+)" of (\S+) is installed/i,
    headline: (_, found) => `The cluster does not serve ${found[2]} in version ${found[1]}.`,
    remedies: [hint('Write the manifest in the version that the cluster has, which the answer names'), again],
  },
  {
    cause: 'crd-missing',
    matches:
      /no matches for kind "?(\w+)"?( in version "?([^"\s]+)"?)?|could not find (the requested resource|\S+ for requested resource)|resource mapping not found/i,
    headline: (result, found) => `The cluster does not know the kind ${found[1] ?? result.kind}.`,
    remedies: [hint('Install the CustomResourceDefinition, or put it into an earlier sync wave'), again],
  },
  {
    cause: 'immutable-field',
    matches: /([\w.[\]]+): (Invalid value: .*: )?field is immutable|updates to .* spec for fields other than/i,
    headline: (result, found) => `${name(result)}: ${found[1] ?? 'a field'} cannot be changed after creation.`,
    remedies: [
      revert,
      hint('Synchronise with Replace=true or Force=true to delete and recreate it: it will be gone for a moment'),
    ],
  },
  {
    cause: 'quota-exceeded',
    matches: /exceeded quota: ([\w.-]+)/i,
    headline: (result, found) => `${name(result)} would exceed the quota ${found[1]}.`,
    remedies: [hint('Ask for a larger quota, or ask for less'), again],
  },
  {
    cause: 'admission-denied',
    matches: /admission webhook "([^"]+)" denied|denied (the request )?by|ValidatingAdmissionPolicy '?([\w.-]+)/i,
    headline: (result, found) =>
      `${name(result)} was refused by the policy ${found[1] ?? found[3] ?? 'of the cluster'}.`,
    remedies: [hint('Change the manifest to what the policy asks for'), revert],
  },
  {
    cause: 'forbidden',
    matches: /is forbidden: User "([^"]+)" cannot (\w+)/i,
    headline: (result, found) => `The runtime (${found[1]}) has no right to ${found[2]} ${result.kind}.`,
    remedies: [hint('Grant the right to this account in the target cluster'), again],
  },
  {
    cause: 'apply-conflict',
    matches: /conflicts? with "([^"]+)"/i,
    headline: (result, found) => `${name(result)}: a field belongs to ${found[1]}.`,
    remedies: [hint('Take the field out of Git, or leave it to Git alone')],
  },
  {
    cause: 'shared-resource',
    matches: /shared resource found|is part of applications/i,
    headline: (result) => `${name(result)} belongs to another application too.`,
    remedies: [hint('Keep it in one application only')],
  },
  {
    cause: 'invalid-object',
    matches: /is invalid: ([\w.[\]"]+): (\w+ value[^,]*)|unknown field "([^"]+)"|error validating data/i,
    headline: (result, found) => `${name(result)} is not valid: ${found[1] ?? found[3] ?? 'see below'}.`,
    remedies: [revert, hint('Correct the field named below')],
  },
  {
    cause: 'too-large',
    matches: /request entity too large|must have at most|Too long: must have/i,
    headline: (result) => `${name(result)} is too large.`,
    remedies: [
      hint('Use the sync option ServerSideApply=true, which needs no copy of the manifest in an annotation'),
      revert,
    ],
  },
];

export const refusedResource: Rule = ({ application }) => {
  const state = application.status?.operationState;
  if (!state || !hasFailed(state)) return undefined;
  const refused = (state.syncResult?.resources ?? []).filter(
    ({ status, hookType }) => status === 'SyncFailed' && !hookType, // a phase has every result, a type only hooks
  );
  for (const cause of causes) {
    for (const result of refused) {
      const found = cause.matches.exec(result.message ?? '');
      if (found) return explain(application, state, { result, others: refused.length - 1, cause, found });
    }
  }
  const [first] = refused;
  if (!first) return undefined;
  const fallback = { ...unknownCause, headline: () => `${name(first)} could not be applied.` };
  return explain(application, state, { result: first, others: refused.length - 1, cause: fallback, found: undefined });
};

const unknownCause = { cause: 'apply-failed', remedies: [again, revert] };

interface Refusal {
  readonly result: ResourceResult;
  readonly others: number;
  readonly cause: Pick<RefusalCause, 'cause' | 'remedies'> & {
    headline: (result: ResourceResult, found: never) => string;
  };
  readonly found: RegExpExecArray | undefined;
}

function explain(
  application: Application,
  state: OperationState,
  { result, others, cause, found }: Refusal,
): Explanation {
  const actor = deployedCommit(application);
  return {
    cause: cause.cause,
    headline: cause.headline(result, found as never), // absent only for the fallback, which does not look at it
    ...(state.finishedAt ? { since: state.finishedAt } : {}),
    ...(actor ? { actor } : {}),
    chain: [
      link('Sync failed', { detail: state.message ?? '' }),
      link(name(result), {
        object: objectOf(result),
        ...(others > 0 ? { detail: `and ${count(others, 'other resource')}` } : {}),
      }),
      link('The cluster answered', { quote: result.message ?? '' }),
    ],
    remedies: [...cause.remedies],
  };
}

export const failedHook: Rule = ({ application }) => {
  const state = application.status?.operationState;
  const hook = state?.syncResult?.resources?.find(
    ({ hookType, hookPhase }) => hookType && (hookPhase === 'Failed' || hookPhase === 'Error'),
  );
  if (!state || !hook || !hasFailed(state)) return undefined;
  const actor = deployedCommit(application);
  return {
    cause: 'hook-failed',
    headline: `The ${hook.syncPhase ?? 'sync'} hook ${name(hook)} failed.`,
    ...(state.finishedAt ? { since: state.finishedAt } : {}),
    ...(actor ? { actor } : {}),
    chain: [
      link('Sync failed', { detail: state.message ?? '' }),
      link(name(hook), { object: objectOf(hook), quote: hook.message ?? '' }),
    ],
    remedies: [hint('Read the logs of the hook'), again, revert],
  };
};

export const failedOperation: Rule = ({ application }) => {
  const state = application.status?.operationState;
  if (!state || !hasFailed(state)) return undefined;
  const isTerminated = /terminated/i.test(state.message ?? '');
  return {
    cause: isTerminated ? 'sync-terminated' : 'sync-failed',
    headline: isTerminated ? 'The last sync was stopped by somebody.' : 'The last sync failed.',
    ...(state.finishedAt ? { since: state.finishedAt } : {}),
    chain: [link('Sync failed', { quote: state.message ?? state.phase })],
    remedies: [again],
  };
};

export const waitingOperation: Rule = ({ application }) => {
  const state = application.status?.operationState;
  if (state?.phase !== 'Running') return undefined;
  const message = state.message ?? '';
  const waiting = /waiting for (healthy state of|completion of hook|deletion of|pruning confirmation of) (\S+)/i.exec(
    message,
  );
  const window = /blocked by sync window/i.test(message);
  return {
    cause: window ? 'sync-window-closed' : waiting ? 'wave-blocked' : 'syncing',
    headline: window
      ? 'A sync window keeps it from being synchronised now.'
      : waiting
        ? `The sync waits for ${waiting[2]}.`
        : 'It is being synchronised.',
    since: state.startedAt,
    chain: [link('Sync is running', { ...(message ? { quote: message } : {}) })],
    remedies: [act('terminate', 'Stop the sync')],
  };
};

/** Ended so, or about to be tried again: then the results are those of the attempt that failed. */
const hasFailed = ({ phase, message = '' }: OperationState) =>
  phase === 'Failed' || phase === 'Error' || (phase === 'Running' && /Retrying attempt #\d+/.test(message));

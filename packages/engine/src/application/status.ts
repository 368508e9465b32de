// The status of an Application as Argo CD's clients expect it, built from a comparison. Pure; the only place that
// decides what stands there, apart from the operation's own state.
import type { Application, ApplicationCondition, ApplicationStatus, RevisionHistory } from '@fairlead/contracts';
import { equalJson } from '@fairlead/kube';
import type { LoadedSources } from '@fairlead/render';
import { type Comparison, resourceStatus } from './comparison.ts';
import { revisionFields, revisionsIn, sourceFields } from './sources.ts';

interface StatusInput {
  readonly application: Application;
  readonly comparison: Comparison;
  readonly conditions: readonly Pick<ApplicationCondition, 'type' | 'message'>[];
  readonly namespace: string;
  /** As Kubernetes writes times. */
  readonly now: string;
}

export function statusOf({ application, comparison, conditions, namespace, now }: StatusInput): ApplicationStatus {
  const { conditions: oldConditions, ...before } = application.status ?? {};
  const { loaded, resources } = comparison;
  const { destination } = application.spec;
  const ordered = resources.map(resourceStatus).sort((a, b) => (orderKey(a) < orderKey(b) ? -1 : 1));
  return {
    ...before,
    sync: {
      status: comparison.sync,
      ...(loaded ? revisionFields(loaded) : lastRevisions(before)),
      comparedTo: { ...sourceFields(application), destination },
    },
    health: withTransition(before.health, comparison.health, now),
    resources: ordered,
    summary: {
      ...(comparison.externalUrls.length > 0 ? { externalURLs: [...comparison.externalUrls] } : {}),
      ...(comparison.images.length > 0 ? { images: [...comparison.images] } : {}),
    },
    ...conditionList(oldConditions, conditions, now),
    ...(loaded ? sourceTypes(loaded) : {}),
    reconciledAt: now,
    resourceHealthSource: 'appTree',
    controllerNamespace: namespace,
  };
}

function lastRevisions({ sync }: ApplicationStatus): { revision?: string; revisions?: string[] } {
  const known = revisionsIn(sync);
  if (known.length === 0) return {};
  return sync?.revision ? { revision: sync.revision } : { revisions: [...known] };
}

function sourceTypes({ parts, isMulti }: LoadedSources): { sourceType?: string; sourceTypes?: string[] } {
  const types = parts.map((part) => part?.sourceType ?? 'Directory');
  return isMulti ? { sourceTypes: types } : { sourceType: types[0] ?? 'Directory' };
}

/** For an Application that cannot be worked on: nothing is known, and the conditions say why. */
export function invalidStatus(
  application: Application,
  conditions: readonly Pick<ApplicationCondition, 'type' | 'message'>[],
  now: string,
): ApplicationStatus {
  const { conditions: oldConditions, ...before } = application.status ?? {};
  return {
    ...before,
    sync: { ...before.sync, status: 'Unknown' },
    health: withTransition(before.health, { status: 'Unknown' }, now),
    ...conditionList(oldConditions, conditions, now),
    reconciledAt: now,
  };
}

/** The same status with other conditions. */
export function withConditions(
  { conditions: before, ...status }: ApplicationStatus,
  conditions: readonly Pick<ApplicationCondition, 'type' | 'message'>[],
  now: string,
): ApplicationStatus {
  return { ...status, ...conditionList(before, conditions, now) };
}

const orderKey = (r: { group?: string; kind: string; namespace?: string; name: string }) =>
  `${r.group ?? ''}/${r.kind}/${r.namespace ?? ''}/${r.name}`;

function withTransition(
  before: ApplicationStatus['health'],
  { status, message }: Comparison['health'],
  now: string,
): NonNullable<ApplicationStatus['health']> {
  const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? now) : now;
  return { status, ...(message ? { message } : {}), lastTransitionTime };
}

/** An empty list is written as no list; a condition keeps its time as long as its text stays. */
function conditionList(
  before: readonly ApplicationCondition[] = [],
  conditions: readonly Pick<ApplicationCondition, 'type' | 'message'>[],
  now: string,
): { conditions?: ApplicationCondition[] } {
  const dated = conditions.map(({ type, message }) => {
    const known = before.find((condition) => condition.type === type && condition.message === message);
    return { type, message, lastTransitionTime: known?.lastTransitionTime ?? now };
  });
  return dated.length > 0 ? { conditions: dated } : {};
}

/** Whether two states differ in more than the time they were looked at. */
export function isSameStatus(a: ApplicationStatus | undefined, b: ApplicationStatus): boolean {
  return equalJson({ ...a, reconciledAt: undefined }, { ...b, reconciledAt: undefined });
}

/** Whether at most the revision differs, and the time. */
export function isSameButRevision(a: ApplicationStatus | undefined, b: ApplicationStatus): boolean {
  const without = (status: ApplicationStatus | undefined) => ({
    ...status,
    reconciledAt: undefined,
    sync: { ...status?.sync, revision: undefined, revisions: undefined },
  });
  return equalJson(without(a), without(b));
}

const defaultHistoryLimit = 10;

export function withHistory(application: Application, entry: Omit<RevisionHistory, 'id'>): RevisionHistory[] {
  const history = application.status?.history ?? [];
  const id = (history.at(-1)?.id ?? -1) + 1;
  const limit = application.spec.revisionHistoryLimit ?? defaultHistoryLimit;
  return limit <= 0 ? [] : [...history, { ...entry, id }].slice(-limit);
}

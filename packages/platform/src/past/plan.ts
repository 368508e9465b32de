// Which of the deployments that a report tells of are new, and which known ones it says more about. Pure.
// An engine's times have whole seconds, so that two operations may start at the same moment; what tells them apart is
// that one that has ended neither runs again nor ends in another way.
import type { ApplicationReport, CommitReport, DeploymentPhase } from '@fairlead/contracts';
import { isFinished, type ObservedDeployment, observedDeployments } from './observe.ts';

export interface KnownDeployment {
  /** Undefined for one that this very plan adds. */
  readonly id: number | undefined;
  readonly historyId: number | undefined;
  readonly revision: string;
  readonly commit: CommitReport | undefined;
  readonly imagesFrom: readonly string[];
  readonly imagesTo: readonly string[];
  readonly initiator: string | undefined;
  readonly automated: boolean;
  readonly phase: DeploymentPhase;
  readonly message: string | undefined;
  readonly startedAt: string;
  readonly finishedAt: string | undefined;
}

export interface SeenReport {
  readonly report: ApplicationReport;
  /** It came after a newer one: only what had ended by then is news. */
  readonly isLate: boolean;
}

const neverSeenToEnd = 'its end was not observed';

/** What is known after these reports, oldest first; those that did not change are the very same values. */
export function planDeployments(
  known: readonly KnownDeployment[],
  reports: readonly SeenReport[],
): readonly KnownDeployment[] {
  let all = [...known].sort(byStart);
  for (const { report, isLate } of reports) {
    for (const observed of observedDeployments(report)) {
      if (isLate && !isFinished(observed.phase)) continue;
      const index = indexOfSame(all, observed);
      const before = all[index];
      if (before) all[index] = merged(before, observed);
      else all = [...all, added(observed)].sort(byStart);
    }
    if (!isLate) all = settle(all, report.images);
  }
  return all;
}

/** A number of the engine's history is certain; start and revision are only likely. */
function indexOfSame(all: readonly KnownDeployment[], observed: ObservedDeployment): number {
  const numbered = all.findIndex(({ historyId }) => historyId !== undefined && historyId === observed.historyId);
  return numbered >= 0 ? numbered : all.findLastIndex((each) => isSame(each, observed));
}

function byStart(a: KnownDeployment, b: KnownDeployment): number {
  if (a.startedAt !== b.startedAt) return a.startedAt < b.startedAt ? -1 : 1;
  if (a.historyId !== undefined && b.historyId !== undefined) return a.historyId - b.historyId;
  // What was stored first was seen first; sorting keeps the order of what is new.
  const [first, second] = [a.id ?? Number.MAX_SAFE_INTEGER, b.id ?? Number.MAX_SAFE_INTEGER];
  return first - second;
}

function isSame(known: KnownDeployment, observed: ObservedDeployment): boolean {
  if (known.historyId !== undefined && observed.historyId !== undefined) return known.historyId === observed.historyId;
  if (known.startedAt !== observed.startedAt) return false;
  if (known.revision && observed.revision !== undefined && known.revision !== observed.revision) return false;
  if (!isFinished(known.phase) || known.phase === 'Unknown') return true;
  if (known.phase !== observed.phase) return false;
  // History tells the end of an operation up to a second apart from the operation itself.
  if (known.historyId !== undefined || observed.historyId !== undefined) return true;
  return known.finishedAt === observed.finishedAt;
}

const added = (observed: ObservedDeployment): KnownDeployment => ({
  ...observed,
  id: undefined,
  revision: observed.revision ?? '',
  automated: observed.automated ?? false,
  imagesFrom: [],
  imagesTo: [],
});

function merged(known: KnownDeployment, observed: ObservedDeployment): KnownDeployment {
  const next: KnownDeployment = {
    ...known,
    historyId: known.historyId ?? observed.historyId,
    revision: known.revision || (observed.revision ?? ''),
    commit: commitOf(known, observed),
    initiator: known.initiator ?? observed.initiator,
    automated: known.automated || (observed.automated ?? false),
    phase: observed.phase,
    message: messageOf(known.message === neverSeenToEnd ? undefined : known.message, observed.message),
    finishedAt: known.finishedAt ?? observed.finishedAt,
  };
  return isEqual(known, next) ? known : next;
}

/** Which commit changed the application is found out after the operation has ended, and says more than where the branch was. */
function commitOf(known: KnownDeployment, { commit, revision }: ObservedDeployment): CommitReport | undefined {
  const isChange = commit !== undefined && commit.revision !== revision;
  const isKnown = known.commit?.revision === commit?.revision && known.commit?.message !== undefined;
  return isChange && !isKnown ? commit : (known.commit ?? commit);
}

/** What an engine remembers of an operation is shortened. */
const messageOf = (known: string | undefined, observed: string | undefined) =>
  observed === undefined || known?.startsWith(observed) ? known : observed;

/** The newest one is what runs now; one before it that is not known to have ended never will be. */
function settle(all: readonly KnownDeployment[], images: readonly string[]): KnownDeployment[] {
  return all.map((each, index) => {
    if (index < all.length - 1) {
      return isFinished(each.phase) ? each : { ...each, phase: 'Unknown', message: neverSeenToEnd };
    }
    const imagesFrom = each.id === undefined ? (all[index - 1]?.imagesTo ?? []) : each.imagesFrom;
    const next = { ...each, imagesFrom, imagesTo: images };
    return isEqual(each, next) ? each : next;
  });
}

const isEqual = (a: KnownDeployment, b: KnownDeployment) => JSON.stringify(a) === JSON.stringify(b);

// The deployments that one report tells of: its operation, those that the engine remembers, and its history. Pure.
import type { ApplicationReport, CommitReport, DeploymentPhase, OperationReport } from '@fairlead/contracts';

export interface ObservedDeployment {
  readonly historyId: number | undefined;
  /** Unknown while an operation has not resolved it yet. */
  readonly revision: string | undefined;
  /** The one that changed the application where it is known, else the one it was synced to. */
  readonly commit: CommitReport | undefined;
  readonly initiator: string | undefined;
  readonly automated: boolean | undefined;
  readonly phase: DeploymentPhase;
  readonly message: string | undefined;
  readonly startedAt: string;
  readonly finishedAt: string | undefined;
}

/** Oldest first; the operation last. Operations are joined with the history entries that they made. */
export function observedDeployments(report: ApplicationReport): ObservedDeployment[] {
  const entries = [...report.history].sort((a, b) => a.id - b.id).flatMap((entry) => fromHistory(entry, report));
  const operations = [...(report.operations ?? []), ...(report.operation ? [report.operation] : [])];
  return operations.reduce<ObservedDeployment[]>((all, each) => {
    const operation = fromOperation(each, report);
    return operation ? withOperation(all, operation) : all;
  }, entries);
}

function withOperation(entries: ObservedDeployment[], operation: ObservedDeployment): ObservedDeployment[] {
  const made = entries.findLast((entry) => isMadeBy(entry, operation));
  if (!made) return [...entries, operation];
  return entries.map((entry) => (entry === made ? { ...operation, historyId: entry.historyId } : entry));
}

export const isFinished = (phase: DeploymentPhase) => phase !== 'Running' && phase !== 'Terminating';

function isMadeBy(entry: ObservedDeployment, operation: ObservedDeployment): boolean {
  if (entry.historyId === undefined || operation.phase !== 'Succeeded' || entry.startedAt !== operation.startedAt)
    return false;
  return operation.revision === undefined || operation.revision === entry.revision;
}

function fromHistory(entry: ApplicationReport['history'][number], report: ApplicationReport): ObservedDeployment[] {
  const finishedAt = momentOf(entry.deployedAt);
  if (finishedAt === undefined) return [];
  const { username, automated } = entry.initiatedBy ?? {};
  return [
    {
      historyId: entry.id,
      revision: entry.revision,
      commit: commitOf(report, entry.revision),
      initiator: username || undefined,
      automated,
      phase: 'Succeeded',
      message: undefined,
      startedAt: momentOf(entry.deployStartedAt) ?? finishedAt,
      finishedAt,
    },
  ];
}

function fromOperation(operation: OperationReport, report: ApplicationReport): ObservedDeployment | undefined {
  const startedAt = momentOf(operation.startedAt);
  if (startedAt === undefined) return undefined;
  const { revision, phase, message, initiatedBy, automated } = operation;
  return {
    historyId: undefined,
    revision,
    commit: changeOf(report, operation) ?? commitOf(report, revision),
    initiator: initiatedBy,
    automated: automated ?? false,
    phase,
    message,
    startedAt,
    finishedAt: momentOf(operation.finishedAt),
  };
}

const commitOf = ({ commit }: ApplicationReport, revision: string | undefined) =>
  commit && commit.revision === revision ? commit : undefined;

const changeOf = ({ changeCommit }: ApplicationReport, { changeRevisions }: OperationReport) =>
  changeCommit && changeRevisions?.includes(changeCommit.revision) ? changeCommit : undefined;

/** In one form whatever the reporter wrote, so that moments can be compared as text; undefined when it is none. */
function momentOf(text: string | undefined): string | undefined {
  const parsed = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(parsed) ? undefined : new Date(parsed).toISOString();
}

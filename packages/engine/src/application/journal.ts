// The journal of an Application's operations, as its annotation holds it. Written with the very write that ends an operation, so
// that there is no operation without its entry and none twice, whichever engine ends it. Bounded by number and by length; at
// the bound the oldest entries go, which is counted. Pure.
import {
  type Application,
  initiatedByInfo,
  type JournalEntry,
  type OperationState,
  operationsAnnotation,
  readOperationJournal,
} from '@fairlead/contracts';

const maxEntries = 20;
const maxLength = 8192;
const maxMessageLength = 300;

interface Journaled {
  readonly annotations: Readonly<Record<string, string>>;
  /** Entries that went at the bound. */
  readonly dropped: number;
}

export function withJournalEntry({ metadata }: Application, ended: OperationState): Journaled {
  const before = readOperationJournal(metadata.annotations);
  const all = [...before, entryOf(ended)];
  let kept = all.slice(-maxEntries);
  while (kept.length > 1 && JSON.stringify(kept).length > maxLength) kept = kept.slice(1);
  return { annotations: { [operationsAnnotation]: JSON.stringify(kept) }, dropped: all.length - kept.length };
}

function entryOf({ phase, startedAt, finishedAt, message, operation, syncResult }: OperationState): JournalEntry {
  const revision = syncResult?.revision || operation.sync?.revision;
  const actor = operation.info?.find(({ name }) => name === initiatedByInfo)?.value;
  const initiatedBy = actor ?? operation.initiatedBy?.username;
  return {
    phase,
    startedAt,
    finishedAt: finishedAt ?? startedAt,
    ...(revision ? { revision } : {}),
    ...(message ? { message: message.slice(0, maxMessageLength) } : {}),
    ...(initiatedBy ? { initiatedBy } : {}),
    ...(operation.initiatedBy?.automated ? { automated: true } : {}),
  };
}

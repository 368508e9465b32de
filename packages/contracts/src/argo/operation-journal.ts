// The operations of an Application that have ended, in brief, oldest first: our engine keeps the last ones in an annotation,
// so that nobody who looked away has missed one. `status.history` knows only whole syncs that succeeded.
import { type Static, Type } from 'typebox';
import { checker } from '../check.ts';
import { OperationPhase } from './application.ts';

export const operationsAnnotation = 'fairlead.io/operations';

const optionalText = Type.Optional(Type.String());

const JournalEntry = Type.Object({
  phase: OperationPhase,
  startedAt: Type.String(),
  finishedAt: Type.String(),
  revision: optionalText,
  message: optionalText,
  initiatedBy: optionalText,
  automated: Type.Optional(Type.Boolean()),
});
export type JournalEntry = Static<typeof JournalEntry>;

const check = checker(Type.Array(JournalEntry));

/** Anybody may write annotations: what is no journal counts as none. */
export function readOperationJournal(
  annotations: Readonly<Record<string, string>> | undefined,
): readonly JournalEntry[] {
  try {
    const checked = check(JSON.parse(annotations?.[operationsAnnotation] ?? '[]'));
    return checked.ok ? checked.value : [];
  } catch {
    return [];
  }
}

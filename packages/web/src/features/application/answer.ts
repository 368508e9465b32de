import type { ApplicationDetail } from '@fairlead/contracts';
import { ageOf, counted, longAge, shortRevision } from '../../words/index.ts';

export interface Answer {
  /** What is the matter. */
  readonly lead: string;
  /** Why, since when, and what it means. */
  readonly rest: string;
}

/** Is it all right, and if not, why: one line, the most pressing thing first. */
export function answerOf({ row, report }: ApplicationDetail, nowMs: number): Answer {
  const { health, sync } = row;
  const since = ageOf(health.lastTransitionTime, nowMs);
  const forHow = since === undefined ? '' : ` for ${longAge(since)}`;
  const deleting = ageOf(report.deletingSince, nowMs);
  if (deleting !== undefined) return { lead: 'Being deleted', rest: `for ${longAge(deleting)}.` };
  if (health.status !== 'Healthy') {
    return { lead: `${health.status}${forHow}${reasonOf(row, report) ? ':' : '.'}`, rest: reasonOf(row, report) };
  }
  if (sync.status !== 'Synced') return { lead: outOfSyncLead(sync.status), rest: differences(report) || row.note };
  const at = sync.revision ? ` with ${shortRevision(sync.revision)}` : '';
  return { lead: 'Healthy and in sync', rest: `${at}${forHow}.`.trim() };
}

const outOfSyncLead = (status: 'OutOfSync' | 'Unknown'): string =>
  status === 'OutOfSync' ? 'Healthy, but out of sync:' : 'Healthy; whether it is in sync is not known:';

/** The explanation, else the application's own message, else that of the first resource that is as bad. */
function reasonOf({ health, note }: ApplicationDetail['row'], report: ApplicationDetail['report']): string {
  if (report.explanation) return report.explanation.headline;
  if (health.message) return health.message;
  const worst = [...report.tree, ...report.resources].find(
    (node) => node.health?.status === health.status && node.health.message,
  );
  return worst ? `${worst.kind} ${worst.name}: ${worst.health?.message}` : note;
}

function differences({ explanation, resources, conditions }: ApplicationDetail['report']): string {
  if (explanation) return explanation.headline;
  const differing = resources.filter(({ sync }) => sync === 'OutOfSync').length;
  if (differing > 0) return `${counted(differing, 'resource differs', 'resources differ')} from Git.`;
  return conditions.find(({ type }) => type.endsWith('Error'))?.message ?? '';
}

// One line for people: what is going on with an application, '' when all is well. Pure.
import type { ApplicationReport, HealthCode, HealthStatus } from '@fairlead/contracts';

const maxLength = 300;

type Rule = (report: ApplicationReport) => string | undefined;

/** First that has something to say wins: the runtime's explanation; for runtimes that give none, what stops everything,
 * then what is broken, then what is under way. */
const rules: readonly Rule[] = [
  ({ deletingSince }) => (deletingSince === undefined ? undefined : 'Being deleted'),
  ({ explanation }) => explanation?.headline,
  ({ conditions }) => {
    const error = conditions.find(({ type }) => type.endsWith('Error'));
    return error && `${error.type}: ${error.message}`;
  },
  (report) => (isHealthyOverall(report) ? undefined : nodeNote(report, 'Degraded')),
  ({ operation }) =>
    operation?.phase === 'Failed' || operation?.phase === 'Error'
      ? `Sync failed: ${operation.message ?? operation.phase}`
      : undefined,
  (report) => (report.health.status === 'Progressing' ? nodeNote(report, 'Progressing') : undefined),
  ({ operation }) => {
    if (operation?.phase === 'Terminating') return 'Stopping the sync';
    if (operation?.phase !== 'Running') return undefined;
    return operation.message ? `Syncing: ${operation.message}` : 'Syncing';
  },
  ({ health }) => (health.status === 'Healthy' ? undefined : health.message),
  ({ health, resources }) => {
    const missing = resources.filter((resource) => resource.health?.status === 'Missing').length;
    return health.status === 'Missing' && missing > 0
      ? `${count(missing, 'resource')} missing in the cluster`
      : undefined;
  },
  (report) => (isHealthyOverall(report) ? undefined : nodeNote(report, report.health.status)),
  ({ sync, resources }) => {
    if (sync.status !== 'OutOfSync') return undefined;
    const differing = resources.filter((resource) => resource.sync === 'OutOfSync').length;
    return differing > 0
      ? `${differing} of ${count(resources.length, 'resource')} differ from Git`
      : 'Differs from Git';
  },
  ({ conditions }) => conditions.find(({ type }) => type.endsWith('Warning'))?.message,
];

export function noteOf(report: ApplicationReport): string {
  for (const rule of rules) {
    const note = rule(report);
    if (note) return oneLine(note);
  }
  return '';
}

const isHealthyOverall = ({ health }: ApplicationReport) =>
  health.status === 'Healthy' || health.status === 'Suspended';
const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;

interface HealthyThing {
  readonly kind: string;
  readonly name: string;
  readonly health?: HealthStatus;
}

/** The deepest node of that health that says why: a Pod knows more than its Deployment. */
function nodeNote(report: ApplicationReport, status: HealthCode): string | undefined {
  const all: HealthyThing[] = [...report.resources, ...report.tree];
  const speaking = all.filter(({ health }) => health?.status === status && health.message);
  const pick = status === 'Degraded' ? speaking.at(-1) : speaking[0];
  return pick && `${pick.kind} ${pick.name}: ${pick.health?.message}`;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

// Sync windows of an AppProject: times at which its applications may, or may not, be synced. As Argo CD judges them:
// an active deny wins; then an active allow; an allow that is not active forbids. Pure.

import { type KubeObject, listAt, stringAt, valueAt } from '@fairlead/kube';
import { Cron } from 'croner';
import { matchesGlob } from './glob.ts';
import { durationMs } from './go-duration.ts';

export interface SyncWindow {
  readonly kind: 'allow' | 'deny';
  readonly schedule: string;
  readonly duration: string;
  readonly manualSync: boolean;
  readonly timeZone: string;
}

interface WindowSubject {
  readonly application: string;
  readonly namespace: string;
  readonly server: string;
  readonly clusterName: string;
}

/** What is wrong with the windows of a project; each names its field. */
export function windowProblems(project: KubeObject): string[] {
  return listAt(project, 'spec', 'syncWindows').flatMap((window, index) => {
    const at = `syncWindows[${index}]`;
    const kind = stringAt(window, 'kind') ?? '';
    const schedule = stringAt(window, 'schedule') ?? '';
    const problems: string[] = [];
    if (kind !== 'allow' && kind !== 'deny') problems.push(`${at}.kind: ${JSON.stringify(kind)}; allowed: allow, deny`);
    if (durationMs(stringAt(window, 'duration')) === undefined)
      problems.push(`${at}.duration: is not a duration such as 1h30m`);
    const reason = scheduleProblem(schedule, stringAt(window, 'timeZone'));
    if (reason) problems.push(`${at}.schedule: ${JSON.stringify(schedule)}: ${reason}`);
    return problems;
  });
}

function scheduleProblem(schedule: string, timeZone: string | undefined): string | undefined {
  try {
    nextStart(schedule, timeZone, new Date(0));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function nextStart(schedule: string, timeZone: string | undefined, after: Date): Date | null {
  const cron = new Cron(schedule, { paused: true, mode: '5-part', timezone: timeZone || 'UTC' });
  return cron.nextRun(after);
}

/** The windows of the project that are about an application. */
export function windowsFor(project: KubeObject, subject: WindowSubject): SyncWindow[] {
  return listAt(project, 'spec', 'syncWindows')
    .filter((window) => isAbout(window, subject))
    .map((window) => ({
      kind: stringAt(window, 'kind') === 'deny' ? 'deny' : 'allow',
      schedule: stringAt(window, 'schedule') ?? '',
      duration: stringAt(window, 'duration') ?? '',
      manualSync: valueAt(window, 'manualSync') === true,
      timeZone: stringAt(window, 'timeZone') || 'UTC',
    }));
}

function isAbout(window: unknown, { application, namespace, server, clusterName }: WindowSubject): boolean {
  const hits = (field: string, texts: readonly string[]): boolean | undefined => {
    const globs = listAt(window, field).filter((glob) => typeof glob === 'string');
    return globs.length === 0 ? undefined : globs.some((glob) => texts.some((text) => matchesGlob(glob, text)));
  };
  const judged = [
    hits('applications', [application]),
    hits('namespaces', [namespace]),
    hits('clusters', [server, clusterName]),
  ];
  const given = judged.filter((hit) => hit !== undefined);
  return valueAt(window, 'andOperator') === true ? given.length > 0 && given.every(Boolean) : given.some(Boolean);
}

export function isActive({ schedule, duration, timeZone }: SyncWindow, nowMs: number): boolean {
  const lengthMs = durationMs(duration) ?? 0;
  const start = nextStart(schedule, timeZone, new Date(nowMs - lengthMs));
  return start !== null && start.getTime() <= nowMs;
}

export function permitsSync(
  windows: readonly SyncWindow[],
  { nowMs, isManual }: { nowMs: number; isManual: boolean },
): boolean {
  const active = windows.filter((window) => isActive(window, nowMs));
  const denies = active.filter(({ kind }) => kind === 'deny');
  if (denies.length > 0) return isManual && denies.every(({ manualSync }) => manualSync);
  if (active.length > 0) return true;
  const closed = windows.filter(({ kind }) => kind === 'allow');
  return closed.length === 0 || (isManual && closed.every(({ manualSync }) => manualSync));
}

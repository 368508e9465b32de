// Deployments as the numbers of the home page: of a period, and of the one just before it, so that both can be compared.
import type { ApplicationId, DeploymentRow } from '@fairlead/contracts';
import { idKey } from '../../live/index.ts';
import type { DayCount } from '../../ui/index.ts';

export const periods = [7, 14, 30] as const;
export type Period = (typeof periods)[number];

interface Tally {
  readonly total: number;
  readonly failed: number;
}

export interface ActiveApplication extends Tally {
  readonly id: ApplicationId;
}

export interface Figures {
  readonly now: Tally;
  readonly before: Tally;
  readonly days: readonly DayCount[];
  /** At most five, the most deployed first. */
  readonly mostActive: readonly ActiveApplication[];
}

const dayMs = 86_400_000;
const isFailed = ({ phase }: DeploymentRow): boolean => phase === 'Failed' || phase === 'Error';

/** The period ends with today, by UTC days. */
export function figuresOf(deployments: readonly DeploymentRow[], period: Period, nowMs: number): Figures {
  const endMs = (Math.floor(nowMs / dayMs) + 1) * dayMs;
  const within = (fromMs: number, toMs: number) =>
    deployments.filter(({ startedAt }) => Date.parse(startedAt) >= fromMs && Date.parse(startedAt) < toMs);
  const now = within(endMs - period * dayMs, endMs);
  const before = within(endMs - 2 * period * dayMs, endMs - period * dayMs);
  return { now: tally(now), before: tally(before), days: byDay(now), mostActive: mostActive(now) };
}

const tally = (rows: readonly DeploymentRow[]): Tally => ({ total: rows.length, failed: rows.filter(isFailed).length });

function byDay(rows: readonly DeploymentRow[]): readonly DayCount[] {
  const days = new Map<string, { succeeded: number; failed: number; other: number }>();
  for (const row of rows) {
    const day = new Date(row.startedAt).toISOString().slice(0, 10);
    const count = days.get(day) ?? { succeeded: 0, failed: 0, other: 0 };
    if (isFailed(row)) count.failed++;
    else if (row.phase === 'Succeeded') count.succeeded++;
    else count.other++;
    days.set(day, count);
  }
  return [...days].map(([day, count]) => ({ day, ...count }));
}

function mostActive(rows: readonly DeploymentRow[]): readonly ActiveApplication[] {
  const groups = new Map<string, DeploymentRow[]>();
  for (const row of rows) {
    const key = idKey(row.application);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()]
    .flatMap((group) => (group[0] ? [{ id: group[0].application, ...tally(group) }] : []))
    .sort((a, b) => b.total - a.total || a.id.name.localeCompare(b.id.name))
    .slice(0, 5);
}

/** "+12 %", "−8 %", "as many as"; undefined when there is nothing to compare with. */
export function changeWords(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const change = Math.round(((now - before) / before) * 100);
  return change === 0 ? 'as many as' : `${change > 0 ? '+' : '−'}${Math.abs(change)} % to`;
}

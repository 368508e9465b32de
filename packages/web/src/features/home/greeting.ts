import type { ApplicationRow, ApplicationSummary, GitTokenWarning, RuntimeRow } from '@fairlead/contracts';
import { counted, visibleText } from '../../words/index.ts';
import { isHeldUp } from './needs-people.ts';

export function greeting(hour: number): string {
  if (hour < 5) return 'Good night';
  return hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening';
}

interface Watched {
  /** Applications, the worst first. */
  readonly worst: readonly ApplicationRow[];
  readonly tokens: readonly GitTokenWarning[];
  readonly nowMs: number;
}

/** Does anything need me? The number of things first, then what they are. */
export function answerOf(
  summary: ApplicationSummary,
  runtimes: readonly RuntimeRow[],
  { worst, tokens, nowMs }: Watched,
) {
  if (summary.total === 0 && summary.unseen) return { lead: 'You see no application.', rest: 'Below is why.' };
  if (runtimes.length === 0 && summary.total === 0) {
    return { lead: 'Nothing is connected yet.', rest: 'A runtime brings your clusters and applications here.' };
  }
  const { byHealth, bySync } = summary;
  const offline = runtimes.filter(({ status }) => status === 'offline');
  const troubles = [
    { count: byHealth['Degraded'] ?? 0, words: 'degraded' },
    { count: byHealth['Missing'] ?? 0, words: 'missing' },
    { count: bySync['OutOfSync'] ?? 0, words: 'out of sync' },
  ].filter(({ count }) => count > 0);
  const said = [
    ...troubles.map(({ count, words }) => `${counted(count, 'application')} ${count === 1 ? 'is' : 'are'} ${words}`),
    ...(offline.length > 0
      ? [`${counted(offline.length, 'runtime')} ${offline.length === 1 ? 'is' : 'are'} offline`]
      : []),
    ...tokens
      .slice(0, 1)
      .map(({ host, problem }) => `your Git token for ${visibleText(host)}: ${visibleText(problem)}`),
  ];
  if (said.length > 0) {
    const things =
      said.length === 1 ? 'One thing needs' : `${['Two', 'Three', 'Four', 'Five'][said.length - 2]} things need`;
    return { lead: `${things} you:`, rest: `${said.join(', ')}.` };
  }
  const moving = byHealth['Progressing'] ?? 0;
  const held = worst.find((row) => isHeldUp(row, nowMs));
  if (held) {
    return { lead: `${visibleText(held.id.name)} is held up:`, rest: `${visibleText(held.note).replace(/\.$/, '')}.` };
  }
  if (moving > 0) {
    return { lead: 'Nothing needs you.', rest: `${counted(moving, 'application')} on the way to a new version.` };
  }
  if (summary.total === 0) return { lead: 'Nothing needs you.', rest: 'No application is known yet.' };
  const all = summary.total === 1 ? 'The one application is' : `All ${counted(summary.total, 'application')} are`;
  return { lead: 'Nothing needs you.', rest: `${all} healthy and in sync.` };
}

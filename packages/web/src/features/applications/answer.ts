import type { ApplicationSummary, HealthCode } from '@fairlead/contracts';
import { counted, formatCount, healthWord } from '../../words/index.ts';

/** A sentence in pieces; the strong ones carry the numbers. */
export type Phrase = readonly { readonly text: string; readonly isStrong?: boolean }[];

const troubles: readonly HealthCode[] = ['Degraded', 'Missing', 'Unknown'];

/** "3 of 212 are degraded, 5 are out of sync." The total stands with the first number only. */
export function answerOf(summary: ApplicationSummary): Phrase {
  const { total, byHealth, bySync, unseen } = summary;
  if (total === 0) return [{ text: unseen ? 'You see no application; below is why.' : 'No application is known yet.' }];
  const found = [
    ...troubles.map((health) => ({ count: byHealth[health] ?? 0, words: healthWord(health) })),
    { count: bySync['OutOfSync'] ?? 0, words: 'out of sync' },
  ].filter(({ count }) => count > 0);
  const moving = byHealth['Progressing'] ?? 0;
  if (found.length === 0 && moving > 0) found.push({ count: moving, words: 'progressing, the others are fine' });
  if (found.length === 0) return allIsWell(summary);
  return found.flatMap(({ count, words }, i) => [
    { text: i === 0 ? `${formatCount(count)} of ${formatCount(total)}` : formatCount(count), isStrong: true },
    { text: ` ${count === 1 ? 'is' : 'are'} ${words}${i === found.length - 1 ? '.' : ', '}` },
  ]);
}

function allIsWell({ total, byHealth }: ApplicationSummary): Phrase {
  const suspended = byHealth['Suspended'] ?? 0;
  const rest = suspended > 0 ? ` well and in sync; ${formatCount(suspended)} suspended.` : ' healthy and in sync.';
  const who = total === 1 ? 'The one application' : `All ${counted(total, 'application')}`;
  return [{ text: who, isStrong: true }, { text: ` ${total === 1 ? 'is' : 'are'}${rest}` }];
}

/** While the Git rights of who looks are being looked up, more may come. */
export const checkingWords = (repositories: number): string =>
  `${counted(repositories, 'repository', 'repositories')} ${repositories === 1 ? 'is' : 'are'} being checked for your rights.`;

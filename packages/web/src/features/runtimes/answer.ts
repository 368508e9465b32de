import type { RuntimeRow } from '@fairlead/contracts';
import { counted } from '../../words/index.ts';

/** "All 4 runtimes are connected." / "1 of 4 runtimes is offline: ap-edge." */
export function answerOf(runtimes: readonly RuntimeRow[]): string {
  if (runtimes.length === 0) return 'No runtime is known yet.';
  const away = runtimes.filter(({ status }) => status === 'offline').map(({ name }) => name);
  const pending = runtimes.filter(({ status }) => status === 'pending').map(({ name }) => name);
  const said = [
    away.length > 0 &&
      `${away.length} of ${counted(runtimes.length, 'runtime')} ${are(away.length)} offline: ${away.join(', ')}.`,
    pending.length > 0 && `${counted(pending.length, 'runtime')} did not register yet: ${pending.join(', ')}.`,
  ].filter(Boolean);
  if (said.length > 0) return said.join(' ');
  return runtimes.length === 1
    ? `The runtime ${runtimes[0]?.name} is connected.`
    : `All ${runtimes.length} runtimes are connected.`;
}

const are = (count: number): string => (count === 1 ? 'is' : 'are');

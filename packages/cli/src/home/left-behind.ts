// A supervisor that was killed leaves its processes, which end by themselves. Until they have, they hold the ports and the
// files of the home: whoever starts, deletes or says that nothing runs waits for them.
import { type Clock, sleep } from '@fairlead/base';
import { type Home, readJson } from './home.ts';
import { isFairlead, type RunningUp, runningUp, signalProcess } from './lock.ts';

interface Waiting {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** By default longer than any of them gives what it serves to finish. */
  readonly patienceMs?: number;
}

/** Ends the hard way what does not end by itself. PostgreSQL is looked after by whoever starts it. */
export async function endLeftBehind(home: Home, { signal, clock, patienceMs = 10_000 }: Waiting): Promise<void> {
  const deadlineMs = clock.monotonic() + patienceMs;
  for (let left = leftBehind(home); left.length > 0; left = leftBehind(home)) {
    if (clock.monotonic() > deadlineMs) for (const pid of left) signalProcess(pid, 'SIGKILL');
    await sleep(50, { signal, clock });
  }
}

function leftBehind(home: Home): number[] {
  if (runningUp(home)) return [];
  const { postgres: _, ...roles } = readJson<RunningUp>(home.pidFile)?.processes ?? {};
  return Object.values(roles).filter(isFairlead);
}

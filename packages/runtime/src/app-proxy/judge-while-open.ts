import { type Clock, errorMessage, everyInterval, type Logger, sleep } from '@fairlead/base';
import { ProxyError } from './errors.ts';
import type { Judge, JudgedAct } from './judge.ts';

interface OpenDeps {
  readonly judge: Pick<Judge, 'judge'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Who may no longer read a stream is cut off this late. */
const judgeEveryMs = 30_000;

/** Ends the stream when it is refused; rules that cannot be read for a moment take nobody's right. Until `gone`. */
export async function judgeWhileOpen(
  { judge, clock, log }: OpenDeps,
  act: Omit<JudgedAct, 'signal'>,
  gone: AbortController,
): Promise<void> {
  const { signal } = gone;
  const look = async () => {
    try {
      await judge.judge({ ...act, signal });
    } catch (error) {
      if (error instanceof ProxyError) gone.abort();
      else if (!signal.aborted) log.warn({ reason: errorMessage(error) }, 'an open stream could not be judged again');
    }
  };
  await sleep(judgeEveryMs, { signal, clock }).catch(() => undefined); // only the abort rejects; the loop sees it
  await everyInterval(judgeEveryMs, look, { signal, clock });
}

// Waiting that can be stopped. Everything here rejects with the signal's reason within a tick of the abort.
import { type Clock, systemClock } from './clock.ts';

interface SleepOptions {
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock;
}

export function sleep(ms: number, { signal, clock = systemClock }: SleepOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Resolves (never rejects) once the signal is aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Rejects with the signal's reason when the abort comes before `promise` settles. The work itself is not stopped. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => undefined); // nobody waits for it any more, so nobody hears of its failure
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Runs `work` again and again, `ms` apart (measured from the end of one run to the start of the next), until aborted. */
export async function everyInterval(
  ms: number,
  work: () => Promise<void>,
  { signal, clock = systemClock }: { signal: AbortSignal; clock?: Clock },
): Promise<void> {
  while (!signal.aborted) {
    await work();
    await sleep(ms, { signal, clock }).catch(() => undefined); // only the abort rejects; the loop condition sees it
  }
}

/** Like `Promise.all(items.map(work))` with at most `limit` at a time. The first failure stops new work and is thrown. */
export async function mapLimit<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  let failed = false;
  const worker = async () => {
    while (next < items.length && !failed) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}

import { sleep } from './abort.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Random } from './ids.ts';

export interface BackoffOptions {
  readonly baseMs: number;
  readonly maxMs: number;
  readonly factor?: number;
  readonly random?: Random;
}

/** Exponential back-off with full jitter: anywhere up to the ceiling, so that a thousand clients do not come in step. */
export function backoffDelay(attempt: number, options: BackoffOptions): number {
  const { baseMs, maxMs, factor = 2, random = Math.random } = options;
  const ceiling = Math.min(maxMs, baseMs * factor ** attempt);
  return Math.round(random() * ceiling);
}

interface RetryOptions extends BackoffOptions {
  readonly attempts: number;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly isRetryable?: (error: unknown) => boolean;
  readonly onRetry?: (error: unknown, attempt: number, delayMs: number) => void;
}

/** Runs `work` up to `attempts` times; the last error is thrown as it is. */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { attempts, signal, clock = systemClock, isRetryable = () => true, onRetry } = options;
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (attempt + 1 >= attempts || signal.aborted || !isRetryable(error)) throw error;
      const delayMs = backoffDelay(attempt, options);
      onRetry?.(error, attempt, delayMs);
      await sleep(delayMs, { signal, clock });
    }
  }
}

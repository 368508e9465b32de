import { errorMessage, isAbortError, type Logger, silentLogger, TerminalError, WaitingError } from '@fairlead/base';
import type { WorkQueue } from './work-queue.ts';

/** Nothing, or when to look at the key again although nothing has changed. */
export type ReconcileResult = undefined | { readonly requeueAfterMs: number };

export interface WorkersOptions {
  readonly queue: WorkQueue;
  readonly concurrency: number;
  readonly reconcile: (
    key: string,
    context: { readonly signal: AbortSignal },
  ) => Promise<ReconcileResult> | Promise<void>;
  readonly signal: AbortSignal;
  readonly log?: Logger;
}

/** Works off the queue until the signal aborts, then closes it. What a thrown error means:
 *  WaitingError → look again after its time; TerminalError → give up until the key is added anew; any other → back-off. */
export async function runWorkers(options: WorkersOptions): Promise<void> {
  const { queue, concurrency, signal } = options;
  const close = () => queue.close();
  if (signal.aborted) return close();
  signal.addEventListener('abort', close, { once: true });
  await Promise.all(Array.from({ length: concurrency }, () => work(options)));
}

async function work({ queue, reconcile, signal, log = silentLogger }: WorkersOptions): Promise<void> {
  for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
    try {
      const result = await reconcile(key, { signal });
      queue.forget(key);
      if (result) queue.addAfter(key, result.requeueAfterMs);
    } catch (error) {
      if (!(signal.aborted && isAbortError(error))) settle({ queue, key, error, log });
    } finally {
      queue.done(key);
    }
  }
}

function settle({ queue, key, error, log }: { queue: WorkQueue; key: string; error: unknown; log: Logger }): void {
  if (error instanceof WaitingError) {
    queue.forget(key);
    queue.addAfter(key, error.retryAfterMs);
    return;
  }
  if (error instanceof TerminalError) {
    queue.forget(key);
    log.error({ key, error: errorMessage(error) }, 'reconcile gave up');
    return;
  }
  const delayMs = queue.addFailed(key);
  log.warn({ key, error: errorMessage(error), delayMs }, 'reconcile failed, will retry');
}

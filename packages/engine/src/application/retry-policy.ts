import type { Operation } from '@fairlead/contracts';
import { isRecord, numberAt, stringAt } from '@fairlead/kube';
import { durationMs } from '../project/index.ts';

interface RetryPolicy {
  /** 0: never again; below 0: for ever. */
  readonly limit: number;
  delayMs(retries: number): number;
}

export function retryPolicyOf(operation: Operation): RetryPolicy {
  const retry = (operation as Readonly<Record<string, unknown>>)['retry']; // passes through the open contract
  const backoff = isRecord(retry) ? retry['backoff'] : undefined;
  const firstMs = durationMs(stringAt(backoff, 'duration')) ?? 5000;
  const maxMs = durationMs(stringAt(backoff, 'maxDuration')) ?? 180_000;
  const factor = numberAt(backoff, 'factor') ?? 2;
  return {
    limit: numberAt(retry, 'limit') ?? 0,
    delayMs: (retries) => Math.min(maxMs, firstMs * factor ** retries),
  };
}

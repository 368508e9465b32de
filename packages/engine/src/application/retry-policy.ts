import type { Operation } from '@fairlead/contracts';
import { isRecord, numberAt, stringAt } from '@fairlead/kube';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Go durations as the CRD has them: `5s`, `1m30s`, or a bare number of seconds. */
function durationMs(text: string | undefined, byDefault: number): number {
  if (text === undefined || text === '') return byDefault;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0) return byDefault;
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (units[unit ?? ''] ?? 0), 0);
}

interface RetryPolicy {
  /** 0: never again; below 0: for ever. */
  readonly limit: number;
  delayMs(retries: number): number;
}

export function retryPolicyOf(operation: Operation): RetryPolicy {
  const retry = (operation as Readonly<Record<string, unknown>>)['retry']; // passes through the open contract
  const backoff = isRecord(retry) ? retry['backoff'] : undefined;
  const firstMs = durationMs(stringAt(backoff, 'duration'), 5000);
  const maxMs = durationMs(stringAt(backoff, 'maxDuration'), 180_000);
  const factor = numberAt(backoff, 'factor') ?? 2;
  return {
    limit: numberAt(retry, 'limit') ?? 0,
    delayMs: (retries) => Math.min(maxMs, firstMs * factor ** retries),
  };
}

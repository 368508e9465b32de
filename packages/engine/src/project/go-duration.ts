const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Go durations as Argo CD has them: `5s`, `1m30s`, or a bare number of seconds. Undefined when it is none. */
export function durationMs(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (units[unit ?? ''] ?? 0), 0);
}

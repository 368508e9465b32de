// The lines of a log that is being read: at most `maxLines`, the oldest go first. Lines are collected and handed out once
// per frame, so that a chatty program costs one rendering and not one per line.
import type { LogLine } from '@fairlead/contracts';
import { type LogLevel, type LogRecord, logRecord } from '../../words/index.ts';

export const maxLines = 5000;

export interface NumberedLine extends LogLine {
  /** Counts from the first line that was read. */
  readonly number: number;
  /** The line as its logger meant it. */
  readonly record: LogRecord;
}

export interface LogLines {
  readonly lines: readonly NumberedLine[];
  /** Lines that were read and let go. */
  readonly dropped: number;
}

export const noLines: LogLines = { lines: [], dropped: 0 };

export function addLines({ lines, dropped }: LogLines, fresh: readonly LogLine[]): LogLines {
  const next = dropped + lines.length;
  const all = [
    ...lines,
    ...fresh.map((line, at) => ({ ...line, number: next + at, record: logRecord(line.line, line.time) })),
  ];
  const over = Math.max(0, all.length - maxLines);
  return { lines: over > 0 ? all.slice(over) : all, dropped: dropped + over };
}

export const leastLevels = ['all', 'info', 'warn', 'error'] as const;
export type LeastLevel = (typeof leastLevels)[number];

const gravity: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** Those that have the text in them, any case, and are at least so grave; `all` takes lines that tell no level too. */
export function matching(
  lines: readonly NumberedLine[],
  text: string,
  least: LeastLevel = 'all',
): readonly NumberedLine[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '' && least === 'all') return lines;
  return lines.filter(
    ({ line, record: { level } }) =>
      (least === 'all' || (level !== undefined && gravity[level] >= gravity[least])) &&
      line.toLowerCase().includes(wanted),
  );
}

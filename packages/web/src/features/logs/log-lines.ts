// The lines of a log that is being read: at most `maxLines`, the oldest go first. Lines are collected and handed out once
// per frame, so that a chatty program costs one rendering and not one per line.
import type { LogLine } from '@fairlead/contracts';

export const maxLines = 5000;

export interface NumberedLine extends LogLine {
  /** Counts from the first line that was read. */
  readonly number: number;
}

export interface LogLines {
  readonly lines: readonly NumberedLine[];
  /** Lines that were read and let go. */
  readonly dropped: number;
}

export const noLines: LogLines = { lines: [], dropped: 0 };

export function addLines({ lines, dropped }: LogLines, fresh: readonly LogLine[]): LogLines {
  const next = dropped + lines.length;
  const all = [...lines, ...fresh.map((line, at) => ({ ...line, number: next + at }))];
  const over = Math.max(0, all.length - maxLines);
  return { lines: over > 0 ? all.slice(over) : all, dropped: dropped + over };
}

/** Those that have the text in them, any case; all without a text. */
export function matching(lines: readonly NumberedLine[], text: string): readonly NumberedLine[] {
  const wanted = text.trim().toLowerCase();
  return wanted === '' ? lines : lines.filter(({ line }) => line.toLowerCase().includes(wanted));
}

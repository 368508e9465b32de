import type { NumberedLine } from './log-lines.ts';

/** Saves the lines that were read, unchanged. */
export function downloadLines(name: string, lines: readonly NumberedLine[]): void {
  const text = lines.map(({ time, pod, line }) => [time, pod, line].filter(Boolean).join(' ')).join('\n');
  const url = URL.createObjectURL(new Blob([text, '\n'], { type: 'text/plain' }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  URL.revokeObjectURL(url);
}

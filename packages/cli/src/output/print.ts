// What commands print: a table for people, JSON or YAML for programs. Colours only on a terminal.
import { styleText } from 'node:util';
import { FairleadError } from '@fairlead/base';
import { dump } from 'js-yaml';

export const outputFormats = ['table', 'json', 'yaml'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export function parseFormat(text: string): OutputFormat {
  const format = outputFormats.find((known) => known === text);
  if (!format) throw new FairleadError('bad_usage', `-o ${text}: must be one of ${outputFormats.join(', ')}`);
  return format;
}

export interface Column<T> {
  readonly title: string;
  readonly value: (item: T) => string;
}

/** `value` is what JSON and YAML print; the table shows `items` by `columns`. */
export function render<T>(format: OutputFormat, value: unknown, items: readonly T[], columns: readonly Column<T>[]) {
  if (format === 'json') return `${JSON.stringify(value, null, 2)}\n`;
  if (format === 'yaml') return dump(value, { noRefs: true, lineWidth: 120 });
  return table(items, columns);
}

function table<T>(items: readonly T[], columns: readonly Column<T>[]): string {
  const cells = [columns.map(({ title }) => title), ...items.map((item) => columns.map(({ value }) => value(item)))];
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** Control characters from the outside (commit messages, names) must not reach the terminal. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

type Style = Parameters<typeof styleText>[0];
export function styled(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return stream.isTTY && !process.env['NO_COLOR'] ? styleText(style, text) : text;
}

const units: [string, number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
];

/** `5m`, `3h`, like kubectl's AGE column. */
export function age(since: string | undefined, nowMs: number): string {
  if (!since) return '';
  const ms = Math.max(0, nowMs - Date.parse(since));
  const [unit, size] = units.find(([, length]) => ms >= length) ?? ['s', 1_000];
  return `${Math.floor(ms / size)}${unit}`;
}

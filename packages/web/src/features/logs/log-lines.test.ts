import { expect, it } from 'vitest';
import { addLines, type LeastLevel, matching, maxLines, noLines } from './log-lines.ts';

const line = (text: string) => ({ pod: 'web-1', time: '', line: text });

it('keeps the newest lines, counts what it let go, and numbers go on', () => {
  const many = Array.from({ length: maxLines }, (_, i) => line(`line ${i}`));
  const { lines, dropped } = addLines(addLines(noLines, many), [line('one'), line('two')]);
  expect(lines).toHaveLength(maxLines);
  expect(dropped).toBe(2);
  expect(lines.at(-1)).toMatchObject({ line: 'two', number: maxLines + 1 });
});

it('finds lines by part of their text, whatever the case', () => {
  const { lines } = addLines(noLines, [line('GET /health 200'), line('panic: boom')]);
  expect(matching(lines, 'PANIC')).toHaveLength(1);
  expect(matching(lines, ' ')).toHaveLength(2);
});

it('shows lines that are grave enough, and lines without a level only among all', () => {
  const logged = (level: string) => line(`{"level":"${level}","msg":"it happened"}`);
  const { lines } = addLines(noLines, [logged('debug'), logged('info'), logged('warn'), logged('error'), line('text')]);
  const levels = (least: LeastLevel) => matching(lines, '', least).map(({ record }) => record.level);
  expect(levels('all')).toHaveLength(5);
  expect(levels('info')).toEqual(['info', 'warn', 'error']);
  expect(levels('warn')).toEqual(['warn', 'error']);
  expect(levels('error')).toEqual(['error']);
});

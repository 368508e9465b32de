import { expect, it } from 'vitest';
import { addLines, matching, maxLines, noLines } from './log-lines.ts';

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

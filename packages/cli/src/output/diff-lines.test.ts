import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines } from './diff-lines.ts';

describe('diffLines', () => {
  it('shows a change with three lines around it', () => {
    const before = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
    const after = ['1', '2', '3', '4', 'five', '6', '7', '8', '9'];
    expect(diffLines(before, after).map(({ sign, text }) => sign + text)).toEqual([
      ' 2',
      ' 3',
      ' 4',
      '-5',
      '+five',
      ' 6',
      ' 7',
      ' 8',
    ]);
  });

  it('shows nothing for equal texts', () => {
    expect(diffLines(['a'], ['a'])).toEqual([]);
  });

  it('removes exactly what was, and adds exactly what is new', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 });
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const shown = diffLines(before, after);
        const count = (sign: string) => shown.filter((line) => line.sign === sign).length;
        expect(before.length - count('-')).toBe(after.length - count('+'));
      }),
    );
  });
});

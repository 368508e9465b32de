import { diffLines } from './diff-lines.ts';
import { plain, styled } from './print.ts';

/** Two texts as a line diff for people, in colours where there are any. */
export function diffText(before: string, after: string): string {
  const lines = diffLines(before.trimEnd().split('\n'), after.trimEnd().split('\n')).map(({ sign, text }) => {
    const line = `${sign} ${plain(text)}`;
    return sign === '+' ? styled('green', line) : sign === '-' ? styled('red', line) : line;
  });
  return `${lines.join('\n')}\n`;
}

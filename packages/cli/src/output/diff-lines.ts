// A line diff for terminals: longest common subsequence, with three lines around each change.

export interface DiffLine {
  readonly sign: ' ' | '+' | '-' | '…';
  readonly text: string;
}

const contextLines = 3;
/** Past this many cells the middle is shown as replaced whole: a diff for people must not cost gigabytes. */
const maxCells = 4_000_000;

export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const start = commonPrefix(before, after);
  const end = commonSuffix(before, after, start);
  const middleBefore = before.slice(start, before.length - end);
  const middleAfter = after.slice(start, after.length - end);
  const all: DiffLine[] = [
    ...before.slice(0, start).map(same),
    ...compare(middleBefore, middleAfter),
    ...before.slice(before.length - end).map(same),
  ];
  return withContext(all);
}

const same = (text: string): DiffLine => ({ sign: ' ', text });
const removed = (text: string): DiffLine => ({ sign: '-', text });
const added = (text: string): DiffLine => ({ sign: '+', text });

function commonPrefix(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function commonSuffix(a: readonly string[], b: readonly string[], prefix: number): number {
  const limit = Math.min(a.length, b.length) - prefix;
  let length = 0;
  while (length < limit && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return length;
}

function compare(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length * b.length > maxCells) return [...a.map(removed), ...b.map(added)];
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    if (left !== undefined && left === right) {
      lines.push(same(left));
      i++;
      j++;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(left));
      i++;
    } else if (right !== undefined) {
      lines.push(added(right));
      j++;
    }
  }
  return lines;
}

function withContext(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - contextLines), index + contextLines + 1).some(({ sign }) => sign !== ' '),
  );
  const shown: DiffLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (isNear[index]) shown.push(line);
    else if (shown.length > 0 && shown.at(-1)?.sign !== '…') shown.push({ sign: '…', text: '' });
  }
  return shown.at(-1)?.sign === '…' ? shown.slice(0, -1) : shown;
}

// The order in which go-yaml writes keys: letters after everything else, runs of digits by their number.

const isLetter = (char: string): boolean => /\p{L}/u.test(char);
const isDigit = (char: string): boolean => /\p{Nd}/u.test(char);

/** Among these alone the order is that of their codes. */
const letters = /^[A-Za-z]*$/;

export function compareKeys(a: string, b: string): number {
  if (letters.test(a) && letters.test(b)) return a < b ? -1 : Number(a > b);
  const [left, right] = [[...a], [...b]];
  const shared = Math.min(left.length, right.length);
  for (let i = 0; i < shared; i++) {
    const [x = '', y = ''] = [left[i], right[i]];
    if (x === y) continue;
    const [xIsLetter, yIsLetter] = [isLetter(x), isLetter(y)];
    if (xIsLetter && yIsLetter) return byCode(x, y);
    if (xIsLetter || yIsLetter) return yIsLetter ? -1 : 1;
    return byNumber(left, right, i);
  }
  return left.length - right.length;
}

const byCode = (x: string, y: string): number => (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0);

function byNumber(left: readonly string[], right: readonly string[], at: number): number {
  // Zeros inside a number count: it is then as long as its digits say.
  const inside = (left[at] === '0' || right[at] === '0') && followsNonZero(left, at);
  const [a, aEnd] = numberAt(left, at, inside);
  const [b, bEnd] = numberAt(right, at, inside);
  if (a !== b) return a < b ? -1 : 1;
  if (aEnd !== bEnd) return aEnd - bEnd;
  return byCode(left[at] ?? '', right[at] ?? '');
}

function followsNonZero(chars: readonly string[], at: number): boolean {
  for (let i = at - 1; i >= 0 && isDigit(chars[i] ?? ''); i--) if (chars[i] !== '0') return true;
  return false;
}

function numberAt(chars: readonly string[], at: number, inside: boolean): [bigint, number] {
  let end = at;
  let value = inside ? 1n : 0n;
  while (end < chars.length && isDigit(chars[end] ?? ''))
    value = value * 10n + BigInt(chars[end++]?.charCodeAt(0) ?? 48) - 48n;
  return [value, end];
}

import { CallError } from '../errors.ts';
import { goText } from '../format.ts';
import { quoteGo } from '../quote.ts';
import { GoMap, GoSlice, strings, type Value } from '../value.ts';
import { define, type Functions, maxText, refuseOver, text, textOf, whole } from './define.ts';
import { camelCase, delimitedCase } from './letter-case.ts';
import { wrapText } from './wrap.ts';

/** Go cuts strings by bytes; a cut inside a character leaves what cannot be read, as there. */
function bytesBetween(value: string, from: number, to: number): string {
  if (from > to || from < 0) throw new CallError(`runtime error: slice bounds out of range [${from}:${to}]`);
  return Buffer.from(value).subarray(from, to).toString('utf8');
}

function truncate(count: number, value: string): string {
  const length = Buffer.byteLength(value);
  if (count < 0 && length + count > 0) return bytesBetween(value, length + count, length);
  return count >= 0 && length > count ? bytesBetween(value, 0, count) : value;
}

function substring(start: number, end: number, value: string): string {
  const length = Buffer.byteLength(value);
  if (start < 0) {
    if (end > length) throw new CallError(`runtime error: slice bounds out of range [:${end}] with length ${length}`);
    return bytesBetween(value, 0, end);
  }
  if (end < 0 || end > length) {
    if (start > length) throw new CallError(`runtime error: slice bounds out of range [${start}:${length}]`);
    return bytesBetween(value, start, length);
  }
  return bytesBetween(value, start, end);
}

export function stringsOf(value: Value): string[] {
  if (value instanceof GoSlice) return value.items.filter((item) => item != null).map(textOf);
  return value == null ? [] : [textOf(value)];
}

function indent(spaces: number, value: string): string {
  if (spaces < 0) throw new CallError('strings: negative Repeat count');
  const pad = ' '.repeat(spaces);
  return pad + value.replaceAll('\n', `\n${pad}`);
}

function repeat(count: number, value: string): string {
  if (count < 0) throw new CallError('strings: negative Repeat count');
  refuseOver(count * value.length, maxText, 'repeat');
  return value.repeat(count);
}

/** strings.Split and SplitN: an empty separator splits into characters. */
export function split(value: string, separator: string, limit = -1): string[] {
  if (limit === 0) return [];
  const parts = separator === '' ? [...value] : value.split(separator);
  if (limit < 0 || parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

const numbered = (parts: string[]): GoMap =>
  new GoMap(
    parts.map((part, index) => [`_${index}`, part] as const),
    'map[string]string',
  );

function trimCharacters(cutset: string, value: string): string {
  const cut = new Set(cutset);
  const chars = [...value];
  let [from, to] = [0, chars.length];
  while (from < to && cut.has(chars[from] ?? '')) from++;
  while (to > from && cut.has(chars[to - 1] ?? '')) to--;
  return chars.slice(from, to).join('');
}

function abbreviate(value: string, offset: number, width: number): string {
  const length = value.length;
  if (length <= width) return value;
  let from = Math.min(offset, length);
  if (length - from < width - 3) from = length - (width - 3);
  if (from <= 4) return `${value.slice(0, width - 3)}...`;
  if (from + width - 3 < length) return `...${abbreviate(value.slice(from), 0, width - 3)}`;
  return `...${value.slice(length - (width - 3))}`;
}

const titled = (value: string): string =>
  value.replace(/(^|[^\p{L}\p{N}_'])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());

function swapCase(value: string): string {
  let previousIsSpace = true;
  let swapped = '';
  for (const char of value) {
    const isSpace = /\s/.test(char);
    if (char !== char.toLowerCase()) swapped += char.toLowerCase();
    else if (char !== char.toUpperCase()) swapped += previousIsSpace ? char.toUpperCase() : char.toUpperCase();
    else swapped += char;
    previousIsSpace = isSpace;
  }
  return swapped;
}

function uncapitalize(value: string): string {
  return value.replace(/(^|\s)(\S)/gu, (_, before: string, char: string) => before + char.toLowerCase());
}

const initials = (value: string): string =>
  value
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => [...word][0])
    .join('');

const goTrim =
  /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;

const two = (call: (a: string, b: string) => Value) => define('string string', ([a, b]) => call(text(a), text(b)));
const trimAll = two((cutset, value) => trimCharacters(cutset, value));

export const stringFunctions: Functions = {
  hello: define('', () => 'Hello!'),
  abbrev: define('int string', ([width, value]) =>
    whole(width) < 4 ? value : abbreviate(text(value), 0, whole(width)),
  ),
  abbrevboth: define('int int string', ([left, right, value]) =>
    whole(right) < 4 || (whole(left) > 0 && whole(right) < 7)
      ? value
      : abbreviate(text(value), whole(left), whole(right)),
  ),
  trunc: define('int string', ([count, value]) => truncate(whole(count), text(value))),
  trim: define('string', ([value]) => text(value).replace(goTrim, '')),
  upper: define('string', ([value]) => text(value).toUpperCase()),
  lower: define('string', ([value]) => text(value).toLowerCase()),
  title: define('string', ([value]) => titled(text(value))),
  untitle: define('string', ([value]) => uncapitalize(text(value))),
  substr: define('int int string', ([start, end, value]) => substring(whole(start), whole(end), text(value))),
  repeat: define('int string', ([count, value]) => repeat(whole(count), text(value))),
  trimall: trimAll,
  trimAll,
  trimSuffix: two((suffix, value) =>
    suffix !== '' && value.endsWith(suffix) ? value.slice(0, -suffix.length) : value,
  ),
  trimPrefix: two((prefix, value) => (value.startsWith(prefix) ? value.slice(prefix.length) : value)),
  nospace: define('string', ([value]) => text(value).replace(/[\s\u0085]/gu, '')),
  initials: define('string', ([value]) => initials(text(value))),
  swapcase: define('string', ([value]) => swapCase(text(value))),
  snakecase: define('string', ([value]) => delimitedCase(text(value), '_')),
  camelcase: define('string', ([value]) => camelCase(text(value))),
  kebabcase: define('string', ([value]) => delimitedCase(text(value), '-')),
  wrap: define('int string', ([width, value]) => wrapText(text(value), whole(width), '\n', false)),
  wrapWith: define('int string string', ([width, separator, value]) =>
    wrapText(text(value), whole(width), text(separator), true),
  ),
  contains: two((part, value) => value.includes(part)),
  hasPrefix: two((prefix, value) => value.startsWith(prefix)),
  hasSuffix: two((suffix, value) => value.endsWith(suffix)),
  quote: define('...any', (args) =>
    present(args)
      .map((arg) => quoteGo(textOf(arg)))
      .join(' '),
  ),
  squote: define('...any', (args) =>
    present(args)
      .map((arg) => `'${goText(arg)}'`)
      .join(' '),
  ),
  cat: define('...any', (args) => present(args).map(goText).join(' ')),
  indent: define('int string', ([spaces, value]) => indent(whole(spaces), text(value))),
  nindent: define('int string', ([spaces, value]) => `\n${indent(whole(spaces), text(value))}`),
  replace: define('string string string', ([old, fresh, value]) => replaceAll(text(value), text(old), text(fresh))),
  plural: define('string string int', ([one, many, count]) => (whole(count) === 1 ? one : many)),
  toString: define('any', ([value]) => textOf(value)),
  split: two((separator, value) => numbered(split(value, separator))),
  splitList: two((separator, value) => strings(split(value, separator))),
  splitn: define('string int string', ([separator, limit, value]) =>
    numbered(split(text(value), text(separator), whole(limit))),
  ),
  toStrings: define('any', ([value]) => strings(stringsOf(value))),
  join: define('string any', ([separator, value]) => stringsOf(value).join(text(separator))),
};

const present = (args: readonly Value[]): Value[] => args.filter((arg) => arg !== null && arg !== undefined);

function replaceAll(value: string, old: string, fresh: string): string {
  if (old === '') return fresh + [...value].map((char) => char + fresh).join('');
  return value.split(old).join(fresh);
}

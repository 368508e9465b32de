// Texts. Positions count code points.
import { JsonnetError } from '../errors.ts';
import { formatText } from '../format.ts';
import { quoted, toText } from '../manifest.ts';
import { textLimited } from '../operators.ts';
import { JsonnetArray } from '../values.ts';
import { type Args, type Builtins, builtin } from './define.ts';

const space = ' \t\n\f\r\u0085\u00a0';

function stripped(text: string, chars: string, ends: { left: boolean; right: boolean }): string {
  const all = [...text];
  let [start, end] = [0, all.length];
  while (ends.left && start < end && chars.includes(all[start] ?? '')) start++;
  while (ends.right && end > start && chars.includes(all[end - 1] ?? '')) end--;
  return all.slice(start, end).join('');
}

function separator(text: string): string {
  if (text === '') throw new JsonnetError('std.split: the separator must not be empty');
  return text;
}

function splitLimit(text: string, by: string, limit: number): string[] {
  const parts = text.split(separator(by));
  if (limit < 0 || parts.length <= limit + 1) return parts;
  return [...parts.slice(0, limit), parts.slice(limit).join(by)];
}

function splitLimitRight(text: string, by: string, limit: number): string[] {
  const parts = text.split(separator(by));
  if (limit < 0 || parts.length <= limit + 1) return parts;
  const cut = parts.length - limit;
  return [parts.slice(0, cut).join(by), ...parts.slice(cut)];
}

function substr(args: Args): string {
  const [from, length] = [args.number(1), args.number(2)];
  if (from < 0 || length < 0) throw new JsonnetError('std.substr: positions must be greater than zero');
  return [...args.text(0)].slice(from, from + length).join('');
}

function findSubstr(pattern: string, text: string): number[] {
  if (pattern === '') return [];
  const found: number[] = [];
  for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1))
    found.push([...text.slice(0, at)].length);
  return found;
}

const digitForms = { 8: /^[0-7]+$/, 10: /^-?[0-9]+$/, 16: /^[0-9a-fA-F]+$/ } as const;

function parsed(text: string, base: 8 | 10 | 16): number {
  if (!digitForms[base].test(text)) throw new JsonnetError(`${JSON.stringify(text)} is not a base ${base} integer`);
  return Number.parseInt(text, base);
}

const xmlEscapes: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
};
const ascii = (text: string, change: (letters: string) => string): string => text.replace(/[a-zA-Z]+/g, change);
const upper = (text: string): string => ascii(text, (letters) => letters.toUpperCase());
const lower = (text: string): string => ascii(text, (letters) => letters.toLowerCase());

export const stringFunctions: Builtins = {
  toString: builtin('a', (args) => toText(args.value(0))),
  codepoint: builtin('str', (args) => {
    const [char, ...more] = [...args.text(0)];
    if (char === undefined || more.length > 0) throw new JsonnetError('codepoint takes a string of length 1');
    return char.codePointAt(0) ?? 0;
  }),
  char: builtin('n', (args) => {
    const code = args.number(0);
    if (!Number.isInteger(code) || code < 0 || code > 0x10ffff)
      throw new JsonnetError(`invalid codepoint, got ${code}`);
    return String.fromCodePoint(code);
  }),
  substr: builtin('str from len', substr),
  findSubstr: builtin('pat str', (args) => JsonnetArray.of(findSubstr(args.text(0), args.text(1)))),
  startsWith: builtin('a b', (args) => args.text(0).startsWith(args.text(1))),
  endsWith: builtin('a b', (args) => args.text(0).endsWith(args.text(1))),
  stripChars: builtin('str chars', (args) => stripped(args.text(0), args.text(1), { left: true, right: true })),
  lstripChars: builtin('str chars', (args) => stripped(args.text(0), args.text(1), { left: true, right: false })),
  rstripChars: builtin('str chars', (args) => stripped(args.text(0), args.text(1), { left: false, right: true })),
  trim: builtin('str', (args) => stripped(args.text(0), space, { left: true, right: true })),
  split: builtin('str c', (args) => JsonnetArray.of(args.text(0).split(separator(args.text(1))))),
  splitLimit: builtin('str c maxsplits', (args) =>
    JsonnetArray.of(splitLimit(args.text(0), args.text(1), args.number(2))),
  ),
  splitLimitR: builtin('str c maxsplits', (args) =>
    JsonnetArray.of(splitLimitRight(args.text(0), args.text(1), args.number(2))),
  ),
  strReplace: builtin('str from to', (args) => {
    if (args.text(1) === '') throw new JsonnetError("'from' string must not be zero length.");
    return textLimited(args.text(0).split(args.text(1)).join(args.text(2)));
  }),
  isEmpty: builtin('str', (args) => args.text(0) === ''),
  equalsIgnoreCase: builtin('str1 str2', (args) => lower(args.text(0)) === lower(args.text(1))),
  asciiUpper: builtin('str', (args) => upper(args.text(0))),
  asciiLower: builtin('str', (args) => lower(args.text(0))),
  stringChars: builtin('str', (args) => JsonnetArray.of([...args.text(0)])),
  format: builtin('str vals', (args) => textLimited(formatText(args.text(0), args.value(1)))),
  parseInt: builtin('str', (args) => parsed(args.text(0), 10)),
  parseOctal: builtin('str', (args) => parsed(args.text(0), 8)),
  parseHex: builtin('str', (args) => parsed(args.text(0), 16)),
  escapeStringJson: builtin('str_', (args) => quoted(toText(args.value(0)))),
  escapeStringPython: builtin('str', (args) => quoted(toText(args.value(0)))),
  escapeStringBash: builtin('str_', (args) => `'${toText(args.value(0)).replaceAll("'", `'"'"'`)}'`),
  escapeStringDollars: builtin('str_', (args) => toText(args.value(0)).replaceAll('$', '$$$$')),
  escapeStringXML: builtin('str_', (args) =>
    toText(args.value(0)).replace(/[<>&"']/g, (char) => xmlEscapes[char] ?? char),
  ),
};

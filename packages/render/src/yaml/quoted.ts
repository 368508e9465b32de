// Quoted scalars on one line.
import { leftToOthers } from './left-to-others.ts';

const [doubleQuote, singleQuote, backslash] = [0x22, 0x27, 0x5c];

/** Where the quoted text that begins at `start` ends; -1 when it goes on beyond `end`. */
export function closingQuote(text: string, start: number, end: number): number {
  const quote = text.charCodeAt(start);
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at);
    if (quote === doubleQuote && code === backslash) at++;
    else if (code === quote) {
      if (quote === singleQuote && text.charCodeAt(at + 1) === singleQuote) at++;
      else return at;
    }
  }
  return -1;
}

const jsonEscapes = /^(?:[^\\]|\\(?:["\\/bfnrt]|u(?:[0-9a-cA-Ce-fE-F][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2})))*$/;

/** The text between the quotes, which are part of `quoted`. Escapes that JSON does not have are left to others. */
export function unquoted(quoted: string): string {
  if (quoted.includes('\t')) throw leftToOthers;
  const inner = quoted.slice(1, -1);
  if (quoted.charCodeAt(0) === singleQuote) return inner.includes("'") ? inner.replaceAll("''", "'") : inner;
  if (!inner.includes('\\')) return inner;
  if (!jsonEscapes.test(inner)) throw leftToOthers;
  return JSON.parse(quoted) as string; // a JSON string, by the test above
}

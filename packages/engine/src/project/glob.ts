// Globs as Argo CD reads them: `*` (and `**`) any run of letters, `?` one, `[a-z]` and `[!a-z]` classes, `{a,b}` one of
// several, `\` takes the next letter as it is. With a separator, single stars and question marks stop at it. Patterns come
// from people, so matching takes time linear in the text whatever they wrote.
import { RE2JS } from 're2js';

const maxKept = 1000;
const kept = new Map<string, (text: string) => boolean>();

/** Whether the whole text matches. A pattern that cannot be read matches nothing. */
export function matchesGlob(pattern: string, text: string, separator = ''): boolean {
  if (pattern === text) return true;
  const key = `${separator}\n${pattern}`;
  let matcher = kept.get(key);
  if (!matcher) {
    matcher = matcherOf(pattern, separator);
    if (kept.size >= maxKept) kept.clear(); // rare: patterns are those of a few projects and policies
    kept.set(key, matcher);
  }
  return matcher(text);
}

function matcherOf(pattern: string, separator: string): (text: string) => boolean {
  if (separator === '' && !/[?[\]{}\\]/.test(pattern)) return inOrder(pattern.split(/\*+/));
  try {
    const compiled = RE2JS.compile(expressionOf(pattern, separator), RE2JS.DOTALL);
    return (text) => compiled.matches(text);
  } catch {
    return () => false;
  }
}

/** The parts between the stars must stand one after the other. */
function inOrder(parts: readonly string[]): (text: string) => boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return (text) => text === first;
  return (text) => {
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
    const end = text.length - last.length;
    let at = first.length;
    for (const part of rest) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}

function expressionOf(pattern: string, separator: string): string {
  const one = separator === '' ? '.' : `[^${RE2JS.quote(separator)}]`;
  const tokens = pattern.match(/\\.|\*+|\[!?[^\]]*\]|./gsu) ?? [];
  let depth = 0;
  const translated = tokens.map((token) => {
    if (token.startsWith('*')) return token.length > 1 ? '.*' : `${one}*`;
    if (token === '?') return one;
    if (token.length > 1 && token.startsWith('[')) return classOf(token);
    if (token === '{') {
      depth++;
      return '(?:';
    }
    if (token === '}' && depth > 0) {
      depth--;
      return ')';
    }
    if (token === ',' && depth > 0) return '|';
    return RE2JS.quote(token.length > 1 && token.startsWith('\\') ? token.slice(1) : token);
  });
  return translated.join('');
}

function classOf(token: string): string {
  const isNegated = token.startsWith('[!');
  const letters = token.slice(isNegated ? 2 : 1, -1).replaceAll(/[\\^[]/g, '\\$&');
  return `[${isNegated ? '^' : ''}${letters}]`;
}

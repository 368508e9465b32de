// Text → tokens, as the language's specification cuts them.
import { JsonnetError } from './errors.ts';

export interface Token {
  readonly kind: 'identifier' | 'keyword' | 'number' | 'string' | 'operator' | 'symbol' | 'end';
  readonly text: string;
  readonly at: number;
}

const keywords = new Set(
  'assert else error false for function if import importstr importbin in local null tailstrict then self super true'.split(
    ' ',
  ),
);
const operatorChars = '!:~+-&|^=<>*/%';
const number = /(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const identifier = /[_a-zA-Z][_a-zA-Z0-9]*/y;
const space = /(?:[ \t\r\n]+|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;

export function placeText(file: string, source: string, at: number): string {
  const before = source.slice(0, at);
  return `${file}:${before.split('\n').length}:${at - before.lastIndexOf('\n')}`;
}

export function tokensOf(source: string, file: string): Token[] {
  const tokens: Token[] = [];
  const fail = (message: string, at: number): never => {
    throw new JsonnetError(`${placeText(file, source, at)}: ${message}`, { isPlaced: true });
  };
  let at = 0;
  const match = (form: RegExp): string | undefined => {
    form.lastIndex = at;
    return form.exec(source)?.[0];
  };
  for (;;) {
    at += match(space)?.length ?? 0;
    const char = source[at];
    if (char === undefined) break;
    const start = at;
    if ('{}[](),.;$'.includes(char)) {
      at++;
      tokens.push({ kind: 'symbol', text: char, at: start });
    } else if (char >= '0' && char <= '9') {
      const text = match(number) ?? '';
      at += text.length;
      if (/[0-9a-zA-Z_]/.test(source[at] ?? '')) fail("couldn't lex number", start);
      tokens.push({ kind: 'number', text, at: start });
    } else if (/[_a-zA-Z]/.test(char)) {
      const text = match(identifier) ?? '';
      at += text.length;
      tokens.push({ kind: keywords.has(text) ? 'keyword' : 'identifier', text, at: start });
    } else if (char === '"' || char === "'") {
      const end = endOfString(source, at) ?? fail('unterminated string', start);
      tokens.push({ kind: 'string', text: unescaped(source.slice(at + 1, end), (why) => fail(why, start)), at: start });
      at = end + 1;
    } else if (char === '@' && /["']/.test(source[at + 1] ?? '')) {
      const [text, end] = verbatim(source, at + 1) ?? fail('unterminated string', start);
      tokens.push({ kind: 'string', text, at: start });
      at = end;
    } else if (source.startsWith('|||', at)) {
      const [text, end] = textBlock(source, at, (why) => fail(why, start));
      tokens.push({ kind: 'string', text, at: start });
      at = end;
    } else if (operatorChars.includes(char)) {
      const text = operatorAt(source, at);
      at += text.length;
      tokens.push({ kind: 'operator', text, at: start });
    } else fail(`could not lex the character ${JSON.stringify(char)}`, start);
  }
  tokens.push({ kind: 'end', text: 'end of file', at });
  return tokens;
}

/** As long as possible, but neither into a comment or text block nor, beyond one character, ending in a sign. */
function operatorAt(source: string, start: number): string {
  let end = start;
  while (operatorChars.includes(source[end] ?? ' ')) {
    if (end > start && /^(?:\/\/|\/\*|\|\|\|)/.test(source.slice(end, end + 3))) break;
    end++;
  }
  let text = source.slice(start, end);
  while (text.length > 1 && /[-+~!]$/.test(text)) text = text.slice(0, -1);
  return text;
}

function endOfString(source: string, start: number): number | undefined {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === source[start]) return at;
  }
  return undefined;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

const unescaped = (text: string, fail: (why: string) => never): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (whole, hex: string | undefined, char: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return escapes[char] ?? fail(`unknown escape sequence in string literal: ${whole}`);
  });

function verbatim(source: string, start: number): [string, number] | undefined {
  const quote = source[start] ?? '';
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] !== quote) continue;
    if (source[at + 1] === quote) at++;
    else return [source.slice(start + 1, at).replaceAll(quote + quote, quote), at + 1];
  }
  return undefined;
}

/** `|||`, a line break, lines with the indentation of the first, `|||` with less; `|||-` drops the last break. */
function textBlock(source: string, start: number, fail: (why: string) => never): [string, number] {
  const chomps = source[start + 3] === '-';
  const open = /[ \t\r]*\n/y;
  open.lastIndex = start + (chomps ? 4 : 3);
  const head = open.exec(source);
  if (!head) return fail('text block requires new line after |||');
  let at = open.lastIndex;
  const lines: string[] = [];
  let indent: string | undefined;
  for (;;) {
    const end = source.indexOf('\n', at);
    const line = end < 0 ? source.slice(at) : source.slice(at, end);
    if (line.replace(/\r$/, '') === '' && end >= 0) lines.push(line);
    else {
      indent ??= /^[ \t]*/.exec(line)?.[0] ?? '';
      if (indent === '') return fail("text block's first line must start with whitespace");
      if (!line.startsWith(indent)) {
        const close = /^[ \t]*\|\|\|/.exec(line);
        if (!close) return fail('text block not terminated with |||');
        const text = `${lines.join('\n')}\n`;
        return [chomps ? text.slice(0, -1) : text, at + close[0].length];
      }
      lines.push(line.slice(indent.length));
    }
    if (end < 0) return fail('text block not terminated with |||');
    at = end + 1;
  }
}

// strconv.Quote and what fmt's %q, %+q and %x make of text.

const escapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
};

// strconv.IsPrint: letters, marks, numbers, punctuation, symbols and the ASCII space.
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

export function quoteGo(
  text: string,
  { quote = '"', ascii = false }: { quote?: string; ascii?: boolean } = {},
): string {
  let quoted = quote;
  for (const char of text) quoted += escapeChar(char, quote, ascii);
  return quoted + quote;
}

function escapeChar(char: string, quote: string, ascii: boolean): string {
  if (char === quote) return `\\${char}`;
  const known = escapes[char];
  if (known !== undefined) return known;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x80 || !ascii) {
    if (printable.test(char)) return char;
  }
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code >= 0xd800 && code <= 0xdfff) return '\\ufffd';
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

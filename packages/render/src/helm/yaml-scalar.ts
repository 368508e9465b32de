// How go-yaml v2 writes one string: plain, quoted or as a block, and how it folds long ones.

const yaml11Words =
  /^(?:~|null|Null|NULL|y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF|true|True|TRUE|false|False|FALSE|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const floatForm = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const integerForm = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)$/;
const base60Form = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const timestampForm = /^\d{4}-\d{1,2}-\d{1,2}(?:(?:[Tt]|[ ])\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/** Whether a reader would take the plain text for something else than text. */
function isAmbiguous(text: string): boolean {
  if (text === '' || yaml11Words.test(text)) return true;
  if (!/^[-+.0-9]/.test(text)) return false;
  const digits = text.replaceAll('_', '');
  if (integerForm.test(digits) || floatForm.test(digits) || base60Form.test(text)) return true;
  return timestampForm.test(text) && isDate(text);
}

function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split(/[-Tt ]/).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

interface Analysis {
  readonly plain: boolean;
  readonly single: boolean;
  readonly block: boolean;
  readonly multiline: boolean;
}

const isBreak = (char: string): boolean => /[\r\n\u0085\u2028\u2029]/.test(char);
// go-yaml counts neither tabs nor what lies beyond the basic plane as printable.
const isPrintable = (char: string): boolean => /^[\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]$/.test(char);

/** Most texts: one line of printable characters that none of the rules below takes for anything else. */
const usual = /^[A-Za-z0-9/][\w./:=@+-]*$/;
const usualAnalysis: Analysis = { plain: true, single: true, block: true, multiline: false };

function analyze(text: string): Analysis {
  if (text === '') return { plain: true, single: true, block: false, multiline: false };
  if (usual.test(text) && !text.endsWith(':')) return usualAnalysis;
  const chars = [...text];
  const first = chars[0] ?? '';
  const last = chars.at(-1) ?? '';
  const special = chars.some((char) => !isPrintable(char));
  const multiline = chars.some(isBreak);
  const breakSpace = / /.test(text) && /[\r\n\u0085\u2028\u2029] /.test(text);
  const spaceBreak = / [\r\n\u0085\u2028\u2029]/.test(text);
  const edge = first === ' ' || isBreak(first) || last === ' ' || isBreak(last);
  return {
    plain: !(edge || breakSpace || spaceBreak || special || multiline || hasIndicators(text)),
    single: !(breakSpace || spaceBreak || special),
    block: !(last === ' ' || spaceBreak || special),
    multiline,
  };
}

const hasIndicators = (text: string): boolean =>
  /^(?:---|\.\.\.)/.test(text) ||
  /^[#,[\]{}&*!|>'"%@`]/.test(text) ||
  /^[?:-](?:[ \t]|$)/.test(text) ||
  /:(?:[ \t]|$)|[ \t\r\n]#/.test(text);

interface Place {
  /** Columns already written on the line. */
  readonly column: number;
  /** Indentation of what continues on the next line. */
  readonly indent: number;
  readonly isKey: boolean;
  /** Fold lines beyond this column; undefined never folds. */
  readonly width: number | undefined;
}

export function writeText(text: string, place: Place): string {
  const { plain, single, block, multiline } = analyze(text);
  const asBlock = text.includes('\n') && !(place.isKey && multiline);
  if (asBlock && block && !place.isKey) return literal(text, place.indent);
  if (asBlock || (multiline && place.isKey) || isAmbiguous(text)) return doubleQuoted(text, place);
  if (plain && !(text === '' && place.isKey)) return folded(text, place, plainFold);
  return single ? singleQuoted(text, place) : doubleQuoted(text, place);
}

function literal(text: string, indent: number): string {
  const hint = /^[ \r\n]/.test(text) ? '2' : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  const pad = ' '.repeat(indent);
  const lines = body.split('\n').map((line) => (line === '' ? '' : pad + line));
  return `|${hint}${chomp}\n${lines.join('\n')}`;
}

type MayFold = (chars: readonly string[], index: number) => boolean;

const plainFold: MayFold = (chars, index) => chars[index + 1] !== ' ';
const singleFold: MayFold = (chars, index) => index > 0 && index < chars.length - 1 && chars[index + 1] !== ' ';

function folded(text: string, { column, indent, isKey, width }: Place, mayFold: MayFold): string {
  if (width === undefined || isKey || column + text.length <= width) return text;
  const chars = [...text];
  let written = '';
  let at = column;
  let afterSpace = false;
  for (const [index, char] of chars.entries()) {
    if (char === ' ' && !afterSpace && at > width && mayFold(chars, index)) {
      written += `\n${' '.repeat(indent)}`;
      at = indent;
    } else {
      written += char;
      at++;
    }
    afterSpace = char === ' ';
  }
  return written;
}

function singleQuoted(text: string, place: Place): string {
  const inner = folded(text.replaceAll("'", "''"), { ...place, column: place.column + 1 }, singleFold);
  return `'${inner}'`;
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
  '\u00a0': '\\_',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

function escapeChar(char: string, escapeAll: boolean): string {
  const plainly = !escapeAll && isPrintable(char) && !isBreak(char) && char !== '"' && char !== '\\';
  if (plainly) return char;
  const known = escapes[char];
  if (known !== undefined) return known;
  const hex = (char.codePointAt(0) ?? 0).toString(16).toUpperCase();
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

function doubleQuoted(text: string, { column, indent, isKey, width }: Place): string {
  const chars = [...text];
  // go-yaml looks for a byte order mark at the start of the text for each character of it.
  const escapeAll = text.startsWith('\ufeff');
  let written = '"';
  let at = column + 1;
  let afterSpace = false;
  for (const [index, char] of chars.entries()) {
    const folds = char === ' ' && width !== undefined && !isKey && !afterSpace && at > width;
    if (folds && index > 0 && index < chars.length - 1) {
      written += `\n${' '.repeat(indent)}${chars[index + 1] === ' ' ? '\\' : ''}`;
      at = indent + (chars[index + 1] === ' ' ? 1 : 0);
    } else {
      const piece = escapeChar(char, escapeAll);
      written += piece;
      at += piece.length;
    }
    afterSpace = char === ' ';
  }
  return `${written}"`;
}

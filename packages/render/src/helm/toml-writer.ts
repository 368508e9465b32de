// TOML as BurntSushi/toml writes it for toToml: plain members first, tables after them, each level in order of keys and
// indented by two.
import { bytesOf, CallError, GoFunc, GoInt, GoMap, GoSlice, GoStruct, type Value } from '../gotemplate/index.ts';

const maxDepth = 500;

/** Helm hands a problem to the template as text. */
export function toToml(value: Value): string {
  const root = tableOf(value);
  const written: string[] = [];
  try {
    if (!root) return element(value);
    writeTable(root, [], written);
  } catch (cause) {
    if (!(cause instanceof CallError)) throw cause;
    return cause.message;
  }
  return written.join('');
}

const tableOf = (value: Value): GoMap | undefined => {
  if (value instanceof GoMap) return value;
  return value instanceof GoStruct ? new GoMap([...value.fields]) : undefined;
};

const isNil = (value: Value): value is null | undefined => value === null || value === undefined;

function isTableList(value: Value): value is GoSlice {
  if (!(value instanceof GoSlice) || value.items.length === 0) return false;
  if (value.items.some(isNil)) throw new CallError('toml: cannot encode array with nil element');
  return value.items.every((item) => tableOf(item) !== undefined);
}

function writeTable(table: GoMap, path: readonly string[], written: string[]): void {
  if (path.length > maxDepth) throw new CallError('toml: nesting exceeds the limit');
  const members = [...table.entries].filter(([, value]) => !isNil(value)).sort(([a], [b]) => (a < b ? -1 : 1));
  const isSub = (value: Value) => tableOf(value) !== undefined || isTableList(value);
  const pad = '  '.repeat(path.length);
  for (const [key, value] of members) {
    if (!isSub(value)) written.push(`${pad}${keyText(key)} = ${element(value)}\n`);
  }
  for (const [key, value] of members) if (isSub(value)) writeSub([...path, key], value, written);
}

function writeSub(path: readonly string[], value: Value, written: string[]): void {
  const pad = '  '.repeat(path.length - 1);
  const title = path.map(keyText).join('.');
  const table = tableOf(value);
  if (table) {
    if (path.length === 1 && written.length > 0) written.push('\n');
    written.push(`${pad}[${title}]\n`);
    writeTable(table, path, written);
  } else if (value instanceof GoSlice) {
    for (const item of value.items) {
      if (written.length > 0) written.push('\n');
      written.push(`${pad}[[${title}]]\n`);
      writeTable(tableOf(item) ?? new GoMap(), path, written);
    }
  }
}

const keyText = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key));

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
};

const quoted = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped
  `"${text.replace(/["\\\u0000-\u001f\u007f]/g, (char) => escapes[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;

function element(value: Value, depth = 0): string {
  if (depth > maxDepth) throw new CallError('toml: nesting exceeds the limit');
  if (isNil(value)) throw new CallError('toml: cannot encode array with nil element');
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return floatText(value);
  if (value instanceof GoInt) return value.value.toString();
  if (value instanceof GoFunc) throw new CallError('toml: unsupported type: func()');
  if (value instanceof GoSlice) {
    if (value.elem === 'uint8') return `[${[...bytesOf(value)].join(', ')}]`;
    return `[${value.items.map((item) => element(item, depth + 1)).join(', ')}]`;
  }
  const members = [...(tableOf(value)?.entries ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
  const isSub = (member: Value) => tableOf(member) !== undefined || isTableList(member);
  const inOrder = [...members.filter(([, one]) => !isSub(one)), ...members.filter(([, one]) => isSub(one))];
  const pairs = inOrder
    .filter(([, one]) => !isNil(one))
    .map(([key, one]) => `${keyText(key)} = ${element(one, depth + 1)}`);
  return `{${pairs.join(', ')}}`;
}

/** Without an exponent, always with a point. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  if (!text.includes('e')) return text.includes('.') ? text : `${text}.0`;
  if (Number.isInteger(value)) return `${BigInt(value)}.0`;
  const [digits = '', exponent = '0'] = text.split('e');
  const places = (digits.split('.')[1] ?? '').length - Number(exponent);
  return value.toFixed(Math.min(100, places));
}

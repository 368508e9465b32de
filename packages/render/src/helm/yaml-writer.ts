// YAML as sigs.k8s.io/yaml writes it for toYaml (go-yaml v2 over JSON), and as go-yaml v3 writes it for toYamlPretty.
// Templates hash and embed this text, so order, quoting and folding are Go's to the letter.
import {
  bytesOf,
  CallError,
  formatFloat,
  GoFunc,
  GoInt,
  GoMap,
  GoSlice,
  GoStruct,
  jsonNumber,
  type Value,
} from '../gotemplate/index.ts';
import { compareKeys } from './yaml-order.ts';
import { writeText } from './yaml-scalar.ts';

interface Style {
  /** Columns by which a list inside a map is moved in. */
  readonly listIndent: number;
  readonly width: number | undefined;
  readonly number: (value: number) => string;
  readonly text: (value: string) => string;
}

const maxDepth = 500;

export const toYaml = (value: Value): string =>
  `${writeNode(value, jsonStyle, { indent: 0, depth: 0, column: 0, root: true })}\n`;
export const toYamlPretty = (value: Value): string =>
  `${writeNode(value, prettyStyle, { indent: 0, depth: 0, column: 0, root: true })}\n`;

/** JSON's text read again as YAML: a whole number that fits 64 bits is an integer. */
function jsonFloat(value: number): string {
  const text = jsonNumber(value);
  if (text === '-0') return '0';
  return /^-?\d+$/.test(text) && Math.abs(value) < 2 ** 64 ? text : yamlFloat(value);
}

/** On the way through JSON, which go-yaml reads as YAML, a next-line character folds into a space. */
const foldedBreaks = (text: string): string =>
  text.includes('\u0085') ? text.replace(/[ \t]*\u0085[ \t]*/g, ' ') : text;

function yamlFloat(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf';
  return formatFloat(value, 'g');
}

const jsonStyle: Style = { listIndent: 0, width: 80, number: jsonFloat, text: foldedBreaks };
const prettyStyle: Style = { listIndent: 2, width: undefined, number: yamlFloat, text: (value) => value };

interface Place {
  readonly indent: number;
  readonly depth: number;
  readonly column: number;
  readonly root?: boolean;
}

function writeNode(value: Value, style: Style, place: Place): string {
  if (place.depth > maxDepth) throw new CallError('error marshaling into YAML: nesting exceeds the limit');
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return style.number(value);
  if (value instanceof GoInt) return value.value.toString();
  if (typeof value === 'string') return writeString(value, style, place);
  if (value instanceof GoFunc) throw new CallError('error marshaling into JSON: json: unsupported type: func()');
  if (value instanceof GoStruct) {
    if (value.json !== undefined) return writeNode(value.json, style, place);
    return writeMap([...value.fields], style, place);
  }
  if (value instanceof GoMap) {
    const keys = [...value.entries.keys()].sort(compareKeys);
    return writeMap(
      keys.map((key) => [key, value.entries.get(key)] as const),
      style,
      place,
    );
  }
  if (value.elem === 'uint8') return writeString(bytesOf(value).toString('base64'), style, place);
  return writeList(value, style, place);
}

function writeString(text: string, { width, text: read }: Style, { indent, column, root }: Place): string {
  const inner = root ? 2 : indent;
  return writeText(read(text), { column, indent: inner, isKey: false, width });
}

function writeMap(entries: readonly (readonly [string, Value])[], style: Style, place: Place): string {
  if (entries.length === 0) return '{}';
  const pad = ' '.repeat(place.indent);
  return entries
    .map(([key, value]) => {
      // Beyond 128 bytes or one line a key needs the form with a question mark.
      const long = /[\r\n\u2028\u2029]/.test(key) || (key.length > 42 && Buffer.byteLength(key) > 128);
      const at = place.indent + (long ? 2 : 0);
      const name = writeText(style.text(key), { column: at, indent: at, isKey: !long, width: style.width });
      const head = long ? `? ${name}\n${pad}:` : `${name}:`;
      const column = place.indent + (long ? 2 : name.length + 2);
      return head + writeMember(value, style, { indent: place.indent, depth: place.depth, column });
    })
    .join(`\n${pad}`);
}

function writeMember(value: Value, style: Style, place: Place): string {
  const depth = place.depth + 1;
  const isList = value instanceof GoSlice && value.elem !== 'uint8' && value.items.length > 0;
  const isMap =
    (value instanceof GoMap && value.entries.size > 0) || (value instanceof GoStruct && value.json === undefined);
  if (isList) {
    const indent = place.indent + style.listIndent;
    return `\n${' '.repeat(indent)}${writeNode(value, style, { indent, depth, column: indent })}`;
  }
  if (isMap) {
    const indent = place.indent + 2;
    return `\n${' '.repeat(indent)}${writeNode(value, style, { indent, depth, column: indent })}`;
  }
  return ` ${writeNode(value, style, { indent: place.indent + 2, depth, column: place.column })}`;
}

function writeList(list: GoSlice, style: Style, { indent, depth }: Place): string {
  if (list.items.length === 0) return '[]';
  const inner = { indent: indent + 2, depth: depth + 1, column: indent + 2 };
  return list.items.map((item) => `- ${writeNode(item, style, inner)}`).join(`\n${' '.repeat(indent)}`);
}

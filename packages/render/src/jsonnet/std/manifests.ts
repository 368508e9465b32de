// Values written as JSON, YAML, INI, Python and TOML.
import { JsonnetError } from '../errors.ts';
import { jsonText, membersOf, quoted, shortNumberText, toText } from '../manifest.ts';
import { textLimited } from '../operators.ts';
import { isFunction, JsonnetArray, JsonnetObject, type JsonnetValue, typeOf } from '../values.ts';
import { type Args, type Builtins, builtin } from './define.ts';
import { tomlText } from './toml.ts';

const jsonEx = (
  value: JsonnetValue,
  { indent, newline, separator }: { indent: string; newline: string; separator: string },
): string => jsonText(value, { indent, newline, separator, comma: ',', number: shortNumberText });

interface YamlStyle {
  readonly indentLists: boolean;
  readonly quoteKeys: boolean;
}

const plainKey = /^[a-zA-Z_][a-zA-Z0-9_./-]*$/;
const reservedWords = /^(?:true|false|yes|no|on|off|y|n|null|~|\.nan|[-+]?\.inf|-+)$/i;

const keyText = (key: string, { quoteKeys }: YamlStyle): string =>
  quoteKeys || !plainKey.test(key) || reservedWords.test(key) ? quoted(key) : key;

function yamlText(value: JsonnetValue, style: YamlStyle, pad = ''): string {
  if (typeof value === 'string') return yamlString(value, pad);
  if (value instanceof JsonnetArray) {
    if (value.items.length === 0) return '[]';
    return value
      .values()
      .map((item) => `-${yamlItem(item, style, pad)}`)
      .join(`\n${pad}`);
  }
  if (value instanceof JsonnetObject) {
    const members = membersOf(value);
    if (members.length === 0) return '{}';
    return members
      .map(([name, member]) => `${keyText(name, style)}:${yamlMember(member, style, pad)}`)
      .join(`\n${pad}`);
  }
  return scalarText(value);
}

function yamlString(text: string, pad: string): string {
  if (text === '') return '""';
  if (!text.endsWith('\n')) return quoted(text);
  const lines = text.slice(0, -1).split('\n');
  return ['|', ...lines.map((line) => (line === '' ? '' : `${pad}  ${line}`))].join('\n');
}

const isFull = (value: JsonnetValue): boolean =>
  (value instanceof JsonnetArray && value.items.length > 0) ||
  (value instanceof JsonnetObject && value.names({ hidden: false }).length > 0);

function yamlItem(item: JsonnetValue, style: YamlStyle, pad: string): string {
  const inner = `${pad}  `;
  if (item instanceof JsonnetArray && isFull(item)) return `\n${inner}${yamlText(item, style, inner)}`;
  return ` ${yamlText(item, style, item instanceof JsonnetObject ? inner : pad)}`;
}

function yamlMember(member: JsonnetValue, style: YamlStyle, pad: string): string {
  if (!isFull(member)) return ` ${yamlText(member, style, pad)}`;
  const inner = member instanceof JsonnetArray && !style.indentLists ? pad : `${pad}  `;
  return `\n${inner}${yamlText(member, style, inner)}`;
}

function scalarText(value: JsonnetValue): string {
  if (isFunction(value)) throw new JsonnetError('function cannot be manifested');
  return typeof value === 'number' ? shortNumberText(value) : String(value);
}

const styleOf = (args: Args, lists: number, keys: number): YamlStyle => ({
  indentLists: args.has(lists) && args.flag(lists),
  quoteKeys: args.has(keys) ? args.flag(keys) : true,
});

function yamlStream(args: Args): string {
  const style = styleOf(args, 1, 3);
  const documents = args
    .array(0)
    .values()
    .map((value) => yamlText(value, style));
  const end = !args.has(2) || args.flag(2) ? '\n...\n' : '\n';
  return documents.length === 0 ? `---\n${end.trimStart()}` : `---\n${documents.join('\n---\n')}${end}`;
}

function iniLines(section: JsonnetObject): string[] {
  return membersOf(section).flatMap(([name, member]) =>
    (member instanceof JsonnetArray ? member.values() : [member]).map((value) => `${name} = ${toText(value)}`),
  );
}

function ini(object: JsonnetObject): string {
  const members = new Map(membersOf(object));
  const [main, sections] = [members.get('main'), members.get('sections')];
  const parts = main instanceof JsonnetObject ? iniLines(main) : [];
  for (const [name, section] of sections instanceof JsonnetObject ? membersOf(sections) : []) {
    if (!(section instanceof JsonnetObject)) throw new JsonnetError(`std.manifestIni: section ${name} is no object`);
    parts.push(`[${name}]`, ...iniLines(section));
  }
  return parts.map((line) => `${line}\n`).join('');
}

function python(value: JsonnetValue): string {
  if (value instanceof JsonnetArray) return `[${value.values().map(python).join(', ')}]`;
  if (value instanceof JsonnetObject)
    return `{${membersOf(value)
      .map(([name, member]) => `${quoted(name)}: ${python(member)}`)
      .join(', ')}}`;
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? quoted(value) : scalarText(value);
}

/** JsonML: a name, perhaps an object of attributes, then children. */
function xml(value: JsonnetValue): string {
  if (typeof value === 'string') return value;
  if (!(value instanceof JsonnetArray))
    throw new JsonnetError(`Expected a JSONML value (an array), got ${typeOf(value)}`);
  const [name, ...rest] = value.values();
  const attributes = rest[0] instanceof JsonnetObject ? membersOf(rest[0]) : [];
  const children = rest[0] instanceof JsonnetObject ? rest.slice(1) : rest;
  const written = attributes.map(([key, member]) => ` ${key}="${toText(member)}"`).join('');
  return `<${toText(name ?? '')}${written}>${children.map(xml).join('')}</${toText(name ?? '')}>`;
}

export const manifestFunctions: Builtins = {
  manifestJson: builtin('value', (args) => jsonEx(args.value(0), { indent: '    ', newline: '\n', separator: ': ' })),
  manifestJsonMinified: builtin('value', (args) =>
    jsonText(args.value(0), { indent: undefined, newline: '', separator: ':', comma: ',', number: shortNumberText }),
  ),
  manifestJsonEx: builtin('value indent newline? key_val_sep?', (args) =>
    jsonEx(args.value(0), {
      indent: args.text(1),
      newline: args.has(2) ? args.text(2) : '\n',
      separator: args.has(3) ? args.text(3) : ': ',
    }),
  ),
  manifestYamlDoc: builtin('value indent_array_in_object? quote_keys?', (args) =>
    textLimited(yamlText(args.value(0), styleOf(args, 1, 2))),
  ),
  manifestYamlStream: builtin('value indent_array_in_object? c_document_end? quote_keys?', (args) =>
    textLimited(yamlStream(args)),
  ),
  manifestIni: builtin('ini', (args) => ini(args.object(0))),
  manifestPython: builtin('v', (args) => python(args.value(0))),
  manifestPythonVars: builtin('conf', (args) =>
    membersOf(args.object(0))
      .map(([name, member]) => `${name} = ${python(member)}\n`)
      .join(''),
  ),
  manifestXmlJsonml: builtin('value', (args) => xml(args.value(0))),
  manifestToml: builtin('value', (args) => tomlText(args.object(0), '  ')),
  manifestTomlEx: builtin('value indent', (args) => tomlText(args.object(0), args.text(1))),
};

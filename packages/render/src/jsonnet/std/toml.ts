// std.manifestTomlEx.
import { JsonnetError } from '../errors.ts';
import { membersOf, numberText, quoted } from '../manifest.ts';
import { JsonnetArray, JsonnetObject, type JsonnetValue, typeOf } from '../values.ts';

const keyText = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key));

function isTable(value: JsonnetValue): value is JsonnetObject {
  return value instanceof JsonnetObject;
}

/** A list of tables is written as sections, any other list in place. */
function isTableList(value: JsonnetValue): value is JsonnetArray {
  return value instanceof JsonnetArray && value.items.length > 0 && value.values().every(isTable);
}

function inline(value: JsonnetValue, { pad, indent }: { pad: string; indent: string }): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return String(value);
  if (value instanceof JsonnetArray) {
    if (value.items.length === 0) return '[]';
    const inner = pad + indent;
    const items = value.values().map((item) => inner + inlineFlat(item));
    return `[\n${items.join(',\n')}\n${pad}]`;
  }
  throw new JsonnetError(`cannot manifest ${typeOf(value)} as TOML`);
}

function inlineFlat(value: JsonnetValue): string {
  if (value instanceof JsonnetArray)
    return value.items.length === 0 ? '[]' : `[ ${value.values().map(inlineFlat).join(', ')} ]`;
  if (value instanceof JsonnetObject) {
    const members = membersOf(value).map(([name, member]) => `${keyText(name)} = ${inlineFlat(member)}`);
    return members.length === 0 ? '{  }' : `{ ${members.join(', ')} }`;
  }
  return inline(value, { pad: '', indent: '' });
}

export function tomlText(object: JsonnetObject, indent: string): string {
  return table(object, { path: [], pad: '', indent });
}

interface Place {
  readonly path: readonly string[];
  readonly pad: string;
  readonly indent: string;
}

function table(object: JsonnetObject, place: Place): string {
  const members = membersOf(object);
  const { pad, indent, path } = place;
  const own = members
    .filter(([, member]) => !isTable(member) && !isTableList(member))
    .map(([name, member]) => `${pad}${keyText(name)} = ${inline(member, { pad, indent })}`);
  const sections = members.flatMap(([name, member]) => {
    const inner: Place = { path: [...path, name], pad: pad + indent, indent };
    const title = inner.path.map(keyText).join('.');
    if (isTable(member)) return [section(`${pad}[${title}]`, member, inner)];
    if (!isTableList(member)) return [];
    return member
      .values()
      .filter(isTable)
      .map((item) => section(`${pad}[[${title}]]`, item, inner));
  });
  const isRoot = path.length === 0;
  return [...(own.length > 0 || isRoot ? [own.join('\n')] : []), ...sections].join('\n\n');
}

function section(head: string, object: JsonnetObject, place: Place): string {
  const body = table(object, place);
  const startsWithSection = body.trimStart().startsWith('[');
  return body === '' ? head : `${head}\n${startsWithSection ? '\n' : ''}${body}`;
}

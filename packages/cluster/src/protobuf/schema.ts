import { messages } from './messages.gen.ts';

export interface FieldType {
  readonly shape: 'one' | 'list' | 'map' | 'named-list';
  /** A letter for a leaf (see decode.ts), else the name of a message. */
  readonly type: string;
  /** A Go pointer: on the wire only when set, so that zero is a value. Other fields are always there, and zero is absence. */
  readonly isPointer: boolean;
}

export interface MessageField extends FieldType {
  /** '.': the members stand in the parent. */
  readonly name: string;
}

export type MessageFields = ReadonlyMap<number, MessageField>;

const parsed = new Map<string, MessageFields>();

/** undefined when there is no such message. Parsed at first use: most kinds are never sent as protobuf. */
export function messageFields(name: string): MessageFields | undefined {
  const known = parsed.get(name);
  if (known) return known;
  const text = Object.hasOwn(messages, name) ? messages[name] : undefined;
  if (text === undefined) return undefined;
  const fields = new Map(
    text
      .split(';')
      .filter((row) => row !== '')
      .map(parseField),
  );
  parsed.set(name, fields);
  return fields;
}

function parseField(row: string): [number, MessageField] {
  const [number = '', name = '', type = ''] = row.split(' ');
  return [Number(number), { name, ...parseType(type) }];
}

export function parseType(text: string): FieldType {
  if (text.endsWith('?')) return { ...parseType(text.slice(0, -1)), isPointer: true };
  if (text.startsWith('[=')) return { shape: 'named-list', type: text.slice(2), isPointer: false };
  if (text.startsWith('[')) return { shape: 'list', type: text.slice(1), isPointer: false };
  if (text.startsWith('{')) return { shape: 'map', type: text.slice(1), isPointer: false };
  return { shape: 'one', type: text, isPointer: false };
}

// The functions every Go template has.
import { CallError } from '../errors.ts';
import { sprint, sprintf, sprintln } from '../format.ts';
import { andFunction, callFunction, orFunction } from '../special-functions.ts';
import { type GoFunction, GoInt, GoMap, GoSlice, int, isTrue, typeName, type Value } from '../value.ts';
import { comparisons } from './compare.ts';
import { escapeHtml, escapeJs, escapeQuery } from './escape.ts';

const any = 'reflect.Value';
const variadic = (call: (args: Value[]) => Value): GoFunction => ({ params: [], rest: 'interface {}', call });

export const builtins: Readonly<Record<string, GoFunction>> = {
  and: andFunction,
  or: orFunction,
  call: callFunction,
  not: { params: [any], call: ([value]) => !isTrue(value) },
  len: { params: [any], call: ([value]) => int(lengthOf(value)) },
  index: { params: [any], rest: any, call: ([item, ...indexes]) => indexes.reduce(elementOf, notNil(item, 'index')) },
  slice: { params: [any], rest: any, call: ([item, ...indexes]) => sliceOf(notNil(item, 'slice'), indexes) },
  print: variadic(sprint),
  println: variadic(sprintln),
  printf: { params: ['string'], rest: 'interface {}', call: ([format, ...rest]) => sprintf(String(format), rest) },
  html: variadic((args) => escapeHtml(evaluated(args))),
  js: variadic((args) => escapeJs(evaluated(args))),
  urlquery: variadic((args) => escapeQuery(evaluated(args))),
  ...comparisons,
};

const evaluated = (args: Value[]): string =>
  args.length === 1 && typeof args[0] === 'string' ? args[0] : sprint(args);

function notNil(item: Value, what: string): Value {
  if (item === undefined || item === null) throw new CallError(`${what} of untyped nil`);
  return item;
}

export function lengthOf(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof GoSlice) return value.items.length;
  if (value instanceof GoMap) return value.entries.size;
  if (value === undefined || value === null) throw new CallError('len of nil pointer');
  throw new CallError(`len of type ${typeName(value)}`);
}

function position(index: Value, limit: number): number {
  if (index === undefined || index === null) throw new CallError('cannot index slice/array with nil');
  if (!(index instanceof GoInt)) throw new CallError(`cannot index slice/array with type ${typeName(index)}`);
  if (index.value < 0n || index.value > BigInt(limit)) throw new CallError(`index out of range: ${index.value}`);
  return Number(index.value);
}

function elementOf(item: Value, index: Value): Value {
  if (item instanceof GoMap) {
    if (typeof index !== 'string') {
      if (index == null) throw new CallError('value is nil; should be of type string');
      throw new CallError(`value has type ${typeName(index)}; should be string`);
    }
    return item.entries.has(index) ? (item.entries.get(index) ?? null) : zeroElement(item);
  }
  if (item instanceof GoSlice) {
    const at = position(index, item.items.length);
    if (at >= item.items.length) throw new CallError(`reflect: slice index out of range`);
    return item.items[at];
  }
  if (typeof item === 'string') {
    const bytes = Buffer.from(item);
    const at = position(index, bytes.length);
    if (at >= bytes.length) throw new CallError(`reflect: string index out of range`);
    return new GoInt(BigInt(bytes[at] ?? 0), 'uint8');
  }
  if (item === undefined || item === null) throw new CallError('index of nil pointer');
  throw new CallError(`can't index item of type ${typeName(item)}`);
}

const zeroElement = (map: GoMap): Value => (map.type === 'map[string]string' ? '' : null);

function sliceOf(item: Value, indexes: readonly Value[]): Value {
  if (indexes.length > 3) throw new CallError(`too many slice indexes: ${indexes.length}`);
  if (typeof item !== 'string' && !(item instanceof GoSlice)) {
    throw new CallError(`can't slice item of type ${typeName(item)}`);
  }
  if (typeof item === 'string' && indexes.length === 3) throw new CallError('cannot 3-index slice a string');
  const length = typeof item === 'string' ? Buffer.byteLength(item) : item.items.length;
  const [from = 0, to = length, limit] = indexes.map((index) => position(index, length));
  if (from > to) throw new CallError(`invalid slice index: ${from} > ${to}`);
  if (limit !== undefined && to > limit) throw new CallError(`invalid slice index: ${to} > ${limit}`);
  if (typeof item === 'string') return Buffer.from(item).subarray(from, to).toString('utf8');
  return new GoSlice(item.items.slice(from, to), item.elem);
}

import { CallError } from '../errors.ts';
import { compareText, GoSlice, kindName, list, strings, type Value } from '../value.ts';
import { toInt } from './convert.ts';
import { deepEqual, define, type Functions, isEmpty, itemsOf, whole } from './define.ts';
import { stringsOf } from './strings.ts';

type Handler = (args: Value[]) => Value;

/** sprig has each list function twice; in a template both refuse with an error. */
function both(name: string, signature: string, handler: Handler): Functions {
  const declared = define(signature, handler);
  return { [name]: declared, [`must${name[0]?.toUpperCase()}${name.slice(1)}`]: declared };
}

const within = (items: readonly Value[], needle: Value): boolean => items.some((item) => deepEqual(needle, item));

function unique(items: readonly Value[]): Value[] {
  const kept: Value[] = [];
  const texts = new Set<string>();
  for (const item of items) {
    if (typeof item === 'string') {
      if (texts.has(item)) continue;
      texts.add(item);
    } else if (within(kept, item)) continue;
    kept.push(item);
  }
  return kept;
}

function chunks(size: number, items: readonly Value[]): GoSlice {
  if (size <= 0) throw new CallError('runtime error: integer divide by zero');
  const parts: Value[] = [];
  for (let i = 0; i < items.length; i += size) parts.push(list(items.slice(i, i + size)));
  return new GoSlice(parts, '[]interface {}');
}

function slice(value: Value, indices: readonly Value[]): Value {
  if (!(value instanceof GoSlice)) throw new CallError(`list should be type of slice or array but ${kindName(value)}`);
  const { items } = value;
  if (items.length === 0) return null;
  const [from = 0, to = items.length] = indices.map(toInt);
  if (from < 0 || to > items.length || from > to) throw new CallError('reflect.Value.Slice: slice index out of bounds');
  return new GoSlice(items.slice(from, to), value.elem);
}

const sortAlpha = (value: Value): GoSlice =>
  value instanceof GoSlice ? strings(stringsOf(value).sort(compareText)) : strings(stringsOf(value));

const push = define('any any', ([value, item]) => list([...itemsOf(value, 'Cannot push on'), item ?? null]));
const make = define('...any', (args) => list(args.map((arg) => arg ?? null)));

export const listFunctions: Functions = {
  list: make,
  tuple: make,
  append: push,
  push,
  mustAppend: push,
  mustPush: push,
  ...both('prepend', 'any any', ([value, item]) => list([item ?? null, ...itemsOf(value, 'Cannot prepend on')])),
  ...both('first', 'any', ([value]) => itemsOf(value, 'Cannot find first on')[0] ?? null),
  ...both('last', 'any', ([value]) => itemsOf(value, 'Cannot find last on').at(-1) ?? null),
  ...both('rest', 'any', ([value]) => list(itemsOf(value, 'Cannot find rest on').slice(1))),
  ...both('initial', 'any', ([value]) => list(itemsOf(value, 'Cannot find initial on').slice(0, -1))),
  ...both('reverse', 'any', ([value]) => list([...itemsOf(value, 'Cannot find reverse on')].reverse())),
  ...both('compact', 'any', ([value]) => list(itemsOf(value, 'Cannot compact on').filter((item) => !isEmpty(item)))),
  ...both('uniq', 'any', ([value]) => list(unique(itemsOf(value, 'Cannot find uniq on')))),
  ...both('without', 'any ...any', ([value, ...omit]) =>
    list(itemsOf(value, 'Cannot find without on').filter((item) => !within(omit, item))),
  ),
  ...both('has', 'any any', ([needle, value]) =>
    value == null ? false : within(itemsOf(value, 'Cannot find has on'), needle),
  ),
  ...both('slice', 'any ...any', ([value, ...indices]) => slice(value, indices)),
  ...both('chunk', 'int any', ([size, value]) => chunks(whole(size), itemsOf(value, 'Cannot chunk'))),
  concat: define('...any', (args) =>
    list(
      args.flatMap((arg) => {
        if (arg instanceof GoSlice) return arg.items;
        throw new CallError(`Cannot concat type ${kindName(arg)} as list`);
      }),
    ),
  ),
  sortAlpha: define('any', ([value]) => sortAlpha(value)),
};

// Arrays, and sets as sorted arrays.
import { JsonnetError } from '../errors.ts';
import { sliced } from '../evaluator.ts';
import { toText } from '../manifest.ts';
import { add, compare, equals, textLimited } from '../operators.ts';
import { JsonnetArray, JsonnetObject, type JsonnetValue, Thunk, typeOf } from '../values.ts';
import { type Args, type Builtins, builtin } from './define.ts';

const maxItems = 5_000_000;

function sized(count: number): number {
  if (!Number.isInteger(count) || count < 0) throw new JsonnetError(`a count of ${count} is not a natural number`);
  if (count > maxItems) throw new JsonnetError(`an array of ${count} items exceeds the limit of ${maxItems}`);
  return count;
}

const lazily = (compute: () => JsonnetValue): Thunk => new Thunk(compute);

/** Characters of a text, or items of an array. */
function itemsOf(value: JsonnetValue, what: string): readonly Thunk[] {
  if (value instanceof JsonnetArray) return value.items;
  if (typeof value === 'string') return [...value].map(Thunk.of);
  throw new JsonnetError(`std.${what}: unexpected type ${typeOf(value)}, expected array or string`);
}

function map(args: Args): JsonnetValue {
  const call = args.callback(0);
  return new JsonnetArray(itemsOf(args.value(1), 'map').map((item) => lazily(() => call(item))));
}

function filter(args: Args, predicate: number, list: number): readonly Thunk[] {
  const call = args.callback(predicate);
  return args.array(list).items.filter((item) => {
    const keep = call(item);
    if (typeof keep !== 'boolean')
      throw new JsonnetError(`std.filter: predicate gave ${typeOf(keep)}, expected boolean`);
    return keep;
  });
}

function flatMap(args: Args): JsonnetValue {
  const call = args.callback(0);
  const source = args.value(1);
  const results = itemsOf(source, 'flatMap').map((item) => call(item));
  if (typeof source === 'string')
    return textLimited(results.map((part) => (part === null ? '' : toText(part))).join(''));
  return new JsonnetArray(results.flatMap((part) => itemsOf(part, 'flatMap')));
}

function fold(args: Args, fromRight: boolean): JsonnetValue {
  const call = args.callback(0);
  const items = itemsOf(args.value(1), 'fold');
  let result = args.thunk(2);
  for (const item of fromRight ? [...items].reverse() : items) {
    const before = result;
    result = Thunk.of(fromRight ? call(item, before) : call(before, item));
  }
  return result.force();
}

function join(args: Args): JsonnetValue {
  const separator = args.value(0);
  const parts = args
    .array(1)
    .values()
    .filter((part) => part !== null);
  if (typeof separator === 'string') {
    const odd = parts.find((part) => typeof part !== 'string');
    if (odd !== undefined) throw new JsonnetError(`std.join: unexpected type ${typeOf(odd)}, expected string`);
    return textLimited(parts.join(separator));
  }
  const listOf = (value: JsonnetValue): readonly Thunk[] => {
    if (value instanceof JsonnetArray) return value.items;
    throw new JsonnetError(`std.join: unexpected type ${typeOf(value)}, expected array`);
  };
  const between = listOf(separator);
  return new JsonnetArray(parts.flatMap((part, index) => [...(index > 0 ? between : []), ...listOf(part)]));
}

const deepJoin = (value: JsonnetValue): string => {
  if (typeof value === 'string') return value;
  if (value instanceof JsonnetArray) return value.values().map(deepJoin).join('');
  throw new JsonnetError(`std.deepJoin: unexpected type ${typeOf(value)}, expected string or array`);
};

const flattenDeep = (value: JsonnetValue): Thunk[] =>
  value instanceof JsonnetArray ? value.items.flatMap((item) => flattenDeep(item.force())) : [Thunk.of(value)];

interface Keyed {
  readonly item: Thunk;
  readonly key: JsonnetValue;
}

const keyed = (items: readonly Thunk[], key: (item: Thunk) => JsonnetValue): Keyed[] =>
  items.map((item) => ({ item, key: key(item) }));

const sorted = (items: readonly Thunk[], key: (item: Thunk) => JsonnetValue): Keyed[] =>
  keyed(items, key).sort((a, b) => compare(a.key, b.key));

const unique = (items: readonly Keyed[]): Keyed[] =>
  items.filter(({ key }, index) => index === 0 || !equals(key, items[index - 1]?.key ?? null));

const arrayOf = (items: readonly Keyed[]): JsonnetArray => new JsonnetArray(items.map(({ item }) => item));

function merge(args: Args, keep: (inLeft: boolean, inRight: boolean) => boolean): JsonnetValue {
  const key = args.key(2);
  const [left, right] = [keyed(args.array(0).items, key), keyed(args.array(1).items, key)];
  const taken: Keyed[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [a, b] = [left[i], right[j]];
    const order = a && b ? compare(a.key, b.key) : a ? -1 : 1;
    const one = order <= 0 ? a : b;
    if (!one) return arrayOf(taken);
    if (keep(order <= 0, order >= 0)) taken.push(one);
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
}

function extreme(args: Args, sign: number): JsonnetValue {
  const key = args.key(1);
  const items = keyed(args.array(0).items, key);
  const [first, ...rest] = items;
  if (!first) {
    if (args.has(2)) return args.value(2);
    throw new JsonnetError('expected at least one element in array. Got none');
  }
  return rest.reduce((best, one) => (compare(one.key, best.key) * sign > 0 ? one : best), first).item.force();
}

const numbersOf = (array: JsonnetArray): number[] =>
  array.values().map((value) => {
    if (typeof value !== 'number') throw new JsonnetError(`unexpected type ${typeOf(value)}, expected number`);
    return value;
  });

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

function remove(array: JsonnetArray, index: number): JsonnetArray {
  return new JsonnetArray(array.items.filter((_, at) => at !== index));
}

function member(value: JsonnetValue, wanted: JsonnetValue): boolean {
  if (typeof value === 'string') return typeof wanted === 'string' && value.includes(wanted);
  return itemsOf(value, 'member').some((item) => equals(item.force(), wanted));
}

function range(from: number, to: number): JsonnetValue {
  const count = sized(Math.max(0, Math.floor(to - from) + 1));
  return new JsonnetArray(Array.from({ length: count }, (_, index) => Thunk.of(from + index)));
}

function repeat(what: JsonnetValue, count: number): JsonnetValue {
  if (typeof what === 'string') {
    sized(count * what.length);
    return what.repeat(count);
  }
  const items = itemsOf(what, 'repeat');
  sized(count * items.length);
  return new JsonnetArray(Array.from({ length: sized(count) }, () => items).flat());
}

export const arrayFunctions: Builtins = {
  makeArray: builtin('sz func', (args) => {
    const call = args.callback(1);
    const count = sized(args.number(0));
    return new JsonnetArray(Array.from({ length: count }, (_, index) => lazily(() => call(Thunk.of(index)))));
  }),
  map: builtin('func arr', map),
  mapWithIndex: builtin('func arr', (args) => {
    const call = args.callback(0);
    const items = itemsOf(args.value(1), 'mapWithIndex');
    return new JsonnetArray(items.map((item, index) => lazily(() => call(Thunk.of(index), item))));
  }),
  filter: builtin('func arr', (args) => new JsonnetArray(filter(args, 0, 1))),
  filterMap: builtin('filter_func map_func arr', (args) => {
    const call = args.callback(1);
    return new JsonnetArray(filter(args, 0, 2).map((item) => lazily(() => call(item))));
  }),
  flatMap: builtin('func arr', flatMap),
  foldl: builtin('func arr init', (args) => fold(args, false)),
  foldr: builtin('func arr init', (args) => fold(args, true)),
  range: builtin('from to', (args) => range(args.number(0), args.number(1))),
  repeat: builtin('what count', (args) => repeat(args.value(0), args.number(1))),
  slice: builtin('indexable index end step', (args) =>
    sliced(args.value(0), { from: args.value(1), to: args.value(2), step: args.value(3) }),
  ),
  join: builtin('sep arr', join),
  deepJoin: builtin('arr', (args) => deepJoin(args.value(0))),
  lines: builtin('arr', (args) =>
    args
      .array(0)
      .values()
      .map((line) => `${toText(line)}\n`)
      .join(''),
  ),
  flattenArrays: builtin('arrs', (args) =>
    args
      .array(0)
      .values()
      .reduce((all, one) => add(all, one), new JsonnetArray([])),
  ),
  flattenDeepArray: builtin('value', (args) => new JsonnetArray(flattenDeep(args.value(0)))),
  reverse: builtin('arrs', (args) => new JsonnetArray([...itemsOf(args.value(0), 'reverse')].reverse())),
  sort: builtin('arr keyF?', (args) => arrayOf(sorted(itemsOf(args.value(0), 'sort'), args.key(1)))),
  uniq: builtin('arr keyF?', (args) => arrayOf(unique(keyed(itemsOf(args.value(0), 'uniq'), args.key(1))))),
  set: builtin('arr keyF?', (args) => arrayOf(unique(sorted(itemsOf(args.value(0), 'set'), args.key(1))))),
  setUnion: builtin('a b keyF?', (args) => merge(args, () => true)),
  setInter: builtin('a b keyF?', (args) => merge(args, (inLeft, inRight) => inLeft && inRight)),
  setDiff: builtin('a b keyF?', (args) => merge(args, (inLeft, inRight) => inLeft && !inRight)),
  setMember: builtin('x arr keyF?', (args) => {
    const key = args.key(2);
    const wanted = key(args.thunk(0));
    return args.array(1).items.some((item) => equals(key(item), wanted));
  }),
  all: builtin('arr', (args) =>
    args
      .array(0)
      .values()
      .every((value) => value === true),
  ),
  any: builtin('arr', (args) =>
    args
      .array(0)
      .values()
      .some((value) => value === true),
  ),
  count: builtin(
    'arr x',
    (args) =>
      args
        .array(0)
        .values()
        .filter((value) => equals(value, args.value(1))).length,
  ),
  member: builtin('arr x', (args) => member(args.value(0), args.value(1))),
  contains: builtin('arr elem', (args) => member(args.value(0), args.value(1))),
  find: builtin('value arr', (args) => {
    const values = args.array(1).values();
    return JsonnetArray.of([...values.keys()].filter((index) => equals(values[index] ?? null, args.value(0))));
  }),
  remove: builtin('arr elem', (args) => {
    const array = args.array(0);
    return remove(
      array,
      array.values().findIndex((value) => equals(value, args.value(1))),
    );
  }),
  removeAt: builtin('arr at', (args) => remove(args.array(0), args.number(1))),
  minArray: builtin('arr keyF? onEmpty?', (args) => extreme(args, -1)),
  maxArray: builtin('arr keyF? onEmpty?', (args) => extreme(args, 1)),
  sum: builtin('arr', (args) => sum(numbersOf(args.array(0)))),
  avg: builtin('arr', (args) => {
    const numbers = numbersOf(args.array(0));
    if (numbers.length === 0) throw new JsonnetError('Cannot calculate average of an empty array.');
    return sum(numbers) / numbers.length;
  }),
  length: builtin('x', (args) => {
    const value = args.value(0);
    if (typeof value === 'string') return [...value].length;
    if (value instanceof JsonnetArray) return value.items.length;
    if (value instanceof JsonnetObject) return value.names({ hidden: false }).length;
    if (typeof value === 'object' && value !== null) return value.params.length;
    throw new JsonnetError(`length operates on strings, objects, functions and arrays, got ${typeOf(value)}`);
  }),
};

import { CallError } from '../errors.ts';
import { GoMap, GoSlice, list, sortedKeys, strings, typeName, type Value } from '../value.ts';
import { define, type Functions, isEmpty, mapOf, text, textOf } from './define.ts';

function dict(args: readonly Value[]): GoMap {
  const made = new GoMap();
  for (let i = 0; i < args.length; i += 2)
    made.entries.set(textOf(args[i]), i + 1 < args.length ? (args[i + 1] ?? null) : '');
  return made;
}

/** mergo.Merge: fills what is empty in `target`, or overwrites whatever `source` names. */
export function mergeInto(target: GoMap, source: GoMap, overwrite: boolean, depth = 0): void {
  if (depth > 200) throw new CallError('merge: nesting exceeds the limit');
  for (const [key, value] of source.entries) {
    const known = target.entries.get(key);
    if (known instanceof GoMap && value instanceof GoMap) mergeInto(known, value, overwrite, depth + 1);
    else if (overwrite || (value !== null && isEmpty(known))) target.entries.set(key, value);
  }
}

function merge(args: readonly Value[], overwrite: boolean): Value {
  const [target, ...sources] = args.map(mapOf);
  if (!target) return '';
  for (const source of sources) if (source !== target) mergeInto(target, source, overwrite);
  return target;
}

export function deepCopy(value: Value, depth = 0): Value {
  if (depth > 500) throw new CallError('deepCopy: nesting exceeds the limit');
  if (value instanceof GoSlice) {
    return new GoSlice(
      value.items.map((item) => deepCopy(item, depth + 1)),
      value.elem,
    );
  }
  if (!(value instanceof GoMap)) return value;
  const copied = new GoMap([], value.type);
  for (const [key, inner] of value.entries) copied.entries.set(key, deepCopy(inner, depth + 1));
  return copied;
}

function dig(args: readonly Value[]): Value {
  if (args.length < 3) throw new CallError('dig needs at least three arguments');
  const names = args.slice(0, -2);
  const fallback = args.at(-2);
  let at: Value = args.at(-1);
  for (const name of names) {
    if (typeof name !== 'string') throw conversion(name, 'string');
    if (!(at instanceof GoMap) || at.type !== 'map[string]interface {}')
      throw conversion(at, 'map[string]interface {}');
    if (!at.entries.has(name)) return fallback;
    at = at.entries.get(name);
  }
  return at;
}

const conversion = (value: Value, wanted: string): CallError =>
  new CallError(`interface conversion: interface {} is ${value == null ? 'nil' : typeName(value)}, not ${wanted}`);

const chosen = (map: GoMap, keep: (key: string) => boolean): GoMap =>
  new GoMap([...map.entries].filter(([key]) => keep(key)));

function pick([map, ...keys]: Value[]): GoMap {
  const wanted = new Set(keys.map(text));
  return chosen(mapOf(map), (key) => wanted.has(key));
}

function omit([map, ...keys]: Value[]): GoMap {
  const unwanted = new Set(keys.map(text));
  return chosen(mapOf(map), (key) => !unwanted.has(key));
}

const copy = define('any', ([value]) => deepCopy(value));

export const dictFunctions: Functions = {
  dict: define('...any', dict),
  get: define('map string', ([map, key]) => {
    const { entries } = mapOf(map);
    return entries.has(text(key)) ? entries.get(text(key)) : '';
  }),
  set: define('map string any', ([map, key, value]) => {
    if (map == null) throw new CallError('assignment to entry in nil map');
    mapOf(map).entries.set(text(key), value ?? null);
    return map;
  }),
  unset: define('map string', ([map, key]) => {
    mapOf(map).entries.delete(text(key));
    return map;
  }),
  hasKey: define('map string', ([map, key]) => mapOf(map).entries.has(text(key))),
  pluck: define('string ...map', ([key, ...maps]) => {
    const found = maps.map(mapOf).filter(({ entries }) => entries.has(text(key)));
    return list(found.map(({ entries }) => entries.get(text(key))));
  }),
  // Go gives keys and values in random order; sorted is one of its orders, and the same each time.
  keys: define('...map', (maps) => strings(maps.flatMap((map) => sortedKeys(mapOf(map))))),
  values: define('map', ([map]) => list(sortedKeys(mapOf(map)).map((key) => mapOf(map).entries.get(key)))),
  pick: define('map ...string', pick),
  omit: define('map ...string', omit),
  merge: define('map ...map', (args) => merge(args, false)),
  mustMerge: define('map ...map', (args) => merge(args, false)),
  mergeOverwrite: define('map ...map', (args) => merge(args, true)),
  mustMergeOverwrite: define('map ...map', (args) => merge(args, true)),
  deepCopy: copy,
  mustDeepCopy: copy,
  dig: define('...any', dig),
};

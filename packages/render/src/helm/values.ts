// The order in which values override each other: a subchart's defaults, its parent's values for it, globals, what the
// user gave. A null given by the user takes a default away.
import { RenderError } from '../errors.ts';
import { deepCopy, GoMap, type Value } from '../gotemplate/index.ts';
import type { Chart } from './chart.ts';

export const copyOf = (map: GoMap): GoMap => {
  const copy = deepCopy(map);
  return copy instanceof GoMap ? copy : new GoMap();
};

interface Coalescing {
  /** Helm calls it merging: nulls stay, to take away defaults that are met later. */
  readonly keepNulls: boolean;
}

export function coalesceValues(chart: Chart, given: GoMap, { keepNulls = false } = {}): GoMap {
  return coalesce(chart, copyOf(given), { keepNulls });
}

function coalesce(chart: Chart, target: GoMap, coalescing: Coalescing): GoMap {
  const { entries } = target;
  for (const [key, fallback] of copyOf(chart.values).entries) {
    if (!entries.has(key)) entries.set(key, fallback);
    else {
      // A null for a subchart stays until the subchart's own defaults have been met.
      const isSubchart = chart.dependencies.some(({ metadata }) => metadata.name === key);
      coalesceKey(target, key, { fallback, isSubchart, ...coalescing });
    }
  }
  for (const subchart of chart.dependencies) coalesceSubchart(subchart, target, coalescing);
  return target;
}

function coalesceKey(
  target: GoMap,
  key: string,
  { fallback, isSubchart, keepNulls }: Coalescing & { fallback: Value; isSubchart: boolean },
): void {
  const own = target.entries.get(key);
  if (own === null) {
    if (!keepNulls) target.entries.delete(key);
  } else if (own instanceof GoMap && fallback instanceof GoMap) {
    coalesceTables(own, fallback, { keepNulls: keepNulls || isSubchart });
  }
}

/** Fills `target` from `source`; what `target` has stays. */
export function coalesceTables(target: GoMap, source: GoMap, { keepNulls = false } = {}): GoMap {
  for (const [key, value] of source.entries) {
    const own = target.entries.get(key);
    if (!target.entries.has(key)) target.entries.set(key, value);
    else if (own === null) {
      if (!keepNulls) target.entries.delete(key);
    } else if (own instanceof GoMap && value instanceof GoMap) coalesceTables(own, value, { keepNulls });
  }
  return target;
}

function coalesceSubchart(subchart: Chart, target: GoMap, coalescing: Coalescing): void {
  const { name } = subchart.metadata;
  if (!target.entries.has(name)) target.entries.set(name, new GoMap());
  const own = target.entries.get(name);
  if (!(own instanceof GoMap)) throw new RenderError(`values: type mismatch on ${name}: its values must be a map`);
  coalesceGlobals(own, target, coalescing);
  target.entries.set(name, coalesce(subchart, own, coalescing));
}

function coalesceGlobals(target: GoMap, source: GoMap, coalescing: Coalescing): void {
  const own = target.entries.get('global') ?? new GoMap();
  const given = source.entries.get('global') ?? new GoMap();
  if (!(own instanceof GoMap) || !(given instanceof GoMap)) return;
  for (const [key, value] of given.entries) {
    const known = own.entries.get(key);
    if (!(value instanceof GoMap)) {
      if (!(known instanceof GoMap)) own.entries.set(key, value);
    } else if (!own.entries.has(key)) own.entries.set(key, copyOf(value));
    else if (known instanceof GoMap) own.entries.set(key, coalesceTables(copyOf(value), known, coalescing));
  }
  target.entries.set('global', own);
}

/** Values files and --set: later wins, maps are merged, null stays to take defaults away. */
export function mergeMaps(base: GoMap, over: GoMap): GoMap {
  const merged = new GoMap(base.entries);
  for (const [key, value] of over.entries) {
    const known = merged.entries.get(key);
    merged.entries.set(key, value instanceof GoMap && known instanceof GoMap ? mergeMaps(known, value) : value);
  }
  return merged;
}

/** The map at `a.b.c`; undefined when there is none. */
export function tableAt(map: GoMap, path: string): GoMap | undefined {
  let at: Value = map;
  for (const name of path.split('.')) at = at instanceof GoMap ? at.entries.get(name) : undefined;
  return at instanceof GoMap ? at : undefined;
}

/** The value at `a.b.c` that is no map; undefined when there is none. */
export function valueAt(map: GoMap, path: string): Value {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const table = names.length === 0 ? map : tableAt(map, names.join('.'));
  const value = table?.entries.get(last);
  return value instanceof GoMap ? undefined : value;
}

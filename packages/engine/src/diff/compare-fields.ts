// Does a live object hold what its source says? Field by field, three-way: fields of the target must be there with the
// same value; fields that were applied before and are gone from the target must be gone; everything else belongs to
// others (defaults, controllers, people) and is left alone.
import { builtInShape, equalJson, type GroupVersionKind, isRecord, type Shape } from '@fairlead/kube';
import { isSameQuantity } from './quantity.ts';

/**
 * `unsure`: the only difference is that items of a list, which is applied as a whole, hold more fields in the cluster
 * than in the source. These are defaults or somebody's change; the API server can tell by a dry run.
 */
export type Verdict = 'same' | 'unsure' | 'different';

interface Sides {
  readonly original: unknown;
  readonly target: unknown;
  readonly live: unknown;
}

interface Context {
  readonly shape: Shape | undefined;
  /** Built-in kinds are stored typed: zero values are dropped, quantities rewritten. */
  readonly isTyped: boolean;
  /** In a `map` of free keys (labels, data) every `entry` counts, empty ones too. */
  readonly role: 'field' | 'map' | 'entry';
  readonly isQuantity: boolean;
}

const maps = ['labels', 'annotations', 'data', 'binaryData', 'matchLabels', 'nodeSelector', 'selector', 'parameters'];
const quantityMaps = [
  'limits',
  'requests',
  'hard',
  'capacity',
  'allocatable',
  'default',
  'defaultRequest',
  'max',
  'min',
];
const quantities = ['sizeLimit', 'divisor', 'averageValue', 'storage'];

export function compareFields(sides: Sides, kind: GroupVersionKind): Verdict {
  const shape = builtInShape(kind);
  return compare(sides, { shape, isTyped: shape !== undefined, role: 'field', isQuantity: false });
}

const worse = (a: Verdict, b: Verdict): Verdict =>
  a === 'different' || b === 'different' ? 'different' : a === 'unsure' || b === 'unsure' ? 'unsure' : 'same';

function compare(sides: Sides, context: Context): Verdict {
  const { target, live } = sides;
  if (isRecord(target) && isRecord(live)) return compareRecords({ ...sides, target, live }, context);
  if (Array.isArray(target) && Array.isArray(live)) return compareLists({ ...sides, target, live }, context);
  if (target === live) return 'same';
  if (context.isQuantity && isSameQuantity(target, live)) return 'same';
  if (isAbsent(target, context) && isAbsent(live, context)) return 'same';
  return 'different';
}

/** null is "not there" everywhere; zero values are so only where typed storage drops them. */
function isAbsent(value: unknown, context: Context): boolean {
  if (value === undefined || value === null) return true;
  if (!context.isTyped || context.role === 'entry') return false;
  if (Array.isArray(value)) return value.length === 0;
  if (isRecord(value)) {
    return Object.entries(value).every(([name, inner]) => isAbsent(inner, memberContext(name, context)));
  }
  return value === '' || value === 0 || value === false;
}

type Records = Sides & { readonly target: Record<string, unknown>; readonly live: Record<string, unknown> };

function compareRecords({ original, target, live }: Records, context: Context): Verdict {
  const before = isRecord(original) ? original : {};
  let verdict: Verdict = 'same';
  for (const [name, value] of Object.entries(target)) {
    const inner = memberContext(name, context);
    if (isAbsent(value, inner) && isAbsent(live[name], inner)) continue;
    if (live[name] === undefined || value === null) return 'different';
    verdict = worse(verdict, compare({ original: before[name], target: value, live: live[name] }, inner));
    if (verdict === 'different') return verdict;
  }
  for (const name of Object.keys(before)) {
    const isRemoved = target[name] === undefined && !isAbsent(live[name], memberContext(name, context));
    if (isRemoved && !isAbsent(before[name], memberContext(name, context))) return 'different';
  }
  return verdict;
}

function memberContext(name: string, { shape, isTyped, role, isQuantity }: Context): Context {
  const isQuantityMap = isTyped && role === 'field' && quantityMaps.includes(name);
  const isMap = role === 'field' && (maps.includes(name) || isQuantityMap);
  return {
    shape: shape?.type === 'struct' ? shape.fields[name] : undefined,
    isTyped,
    role: role === 'map' ? 'entry' : isMap ? 'map' : 'field',
    isQuantity: isQuantity || isQuantityMap || (isTyped && quantities.includes(name)),
  };
}

type Lists = Sides & { readonly target: readonly unknown[]; readonly live: readonly unknown[] };

function compareLists(sides: Lists, context: Context): Verdict {
  const { shape } = context;
  if (shape?.type === 'keyed-list' && shape.mergeKey !== undefined) {
    return compareKeyed(sides, { ...context, shape: shape.item, mergeKey: shape.mergeKey });
  }
  if (shape?.type === 'set') return compareSets(sides);
  return compareWhole(sides, context);
}

function compareKeyed({ original, target, live }: Lists, context: Context & { mergeKey: string }): Verdict {
  const keyOf = (item: unknown) => (isRecord(item) ? item[context.mergeKey] : undefined);
  const find = (list: readonly unknown[], key: unknown) => list.find((item) => equalJson(keyOf(item), key));
  const before: readonly unknown[] = Array.isArray(original) ? original : [];
  let verdict: Verdict = 'same';
  const places: number[] = [];
  for (const item of target) {
    const key = keyOf(item);
    const found = find(live, key);
    if (found === undefined) return 'different';
    places.push(live.indexOf(found));
    verdict = worse(verdict, compare({ original: find(before, key), target: item, live: found }, context));
  }
  const isReordered = places.some((place, index) => index > 0 && place < (places[index - 1] ?? 0));
  const isLeftOver = before.some((item) => {
    const key = keyOf(item);
    return find(target, key) === undefined && find(live, key) !== undefined;
  });
  return isReordered || isLeftOver ? 'different' : verdict;
}

function compareSets({ original, target, live }: Lists): Verdict {
  const before: readonly unknown[] = Array.isArray(original) ? original : [];
  const isMissing = target.some((item) => !live.includes(item));
  const isLeftOver = before.some((item) => !target.includes(item) && live.includes(item));
  return isMissing || isLeftOver ? 'different' : 'same';
}

/** A list that is applied as a whole: item by item in order, and what is more in the cluster makes us unsure. */
function compareWhole({ original, target, live }: Lists, context: Context): Verdict {
  if (equalJson(target, live)) return 'same';
  if (target.length !== live.length) return 'different';
  const before: readonly unknown[] = Array.isArray(original) && original.length === target.length ? original : [];
  const inner: Context = { ...context, shape: undefined, role: 'field' };
  let verdict: Verdict = 'same';
  for (const [index, item] of target.entries()) {
    verdict = worse(verdict, compare({ original: before[index], target: item, live: live[index] }, inner));
  }
  return verdict === 'same' ? 'unsure' : verdict;
}

// Kubernetes' strategic merge patch: a merge patch that knows list keys, with directives
// ($patch, $retainKeys, $setElementOrder/<list>, $deleteFromPrimitiveList/<list>).
import { FairleadError } from '@fairlead/base';
import { equalJson, type GroupVersionKind, isRecord } from '../object/index.ts';
import { setMember } from './json-merge-patch.ts';
import { builtInShape } from './kind-shapes.ts';
import { memberShape, type Shape } from './shape.ts';

export class StrategicPatchError extends FairleadError {
  constructor(message: string) {
    super('bad_strategic_patch', message);
  }
}

const orderPrefix = '$setElementOrder/';
const deletePrefix = '$deleteFromPrimitiveList/';

export function strategicMergePatch(
  target: unknown,
  patch: unknown,
  kind: Omit<GroupVersionKind, 'version'>,
): Record<string, unknown> {
  const shape = builtInShape(kind);
  if (!shape) throw new StrategicPatchError(`strategic merge patch is not supported for ${kind.group}/${kind.kind}`);
  if (!isRecord(patch)) throw new StrategicPatchError('a strategic merge patch is an object');
  return mergeRecord(isRecord(target) ? target : {}, patch, shape);
}

function mergeRecord(
  target: Record<string, unknown>,
  patch: Record<string, unknown>,
  shape: Shape | undefined,
): Record<string, unknown> {
  const { $patch: directive, $retainKeys: retain, ...rest } = patch;
  if (directive === 'replace') return rest;
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge') {
    throw new StrategicPatchError(`unknown patch type: ${String(directive)} in map: ${goMap(patch)}`);
  }
  const merged = Array.isArray(retain)
    ? Object.fromEntries(Object.entries(target).filter(([key]) => retain.includes(key)))
    : { ...target };
  for (const [key, value] of Object.entries(rest)) {
    if (key.startsWith('$')) continue;
    if (value === null) delete merged[key];
    else setMember(merged, key, mergeValue(merged[key], value, memberShape(shape, key)));
  }
  mergeListDirectives(merged, { patch: rest, target, shape });
  return merged;
}

function mergeValue(target: unknown, value: unknown, shape: Shape | undefined): unknown {
  if (isRecord(value)) return mergeRecord(isRecord(target) ? target : {}, value, shape);
  if (!Array.isArray(value)) return value;
  const list: readonly unknown[] = Array.isArray(target) ? target : [];
  if (shape?.type === 'set') {
    const merged = [...list, ...value.filter((item) => !list.includes(item))];
    return inOrder(merged, { order: value, original: list, key: undefined });
  }
  if (shape?.type === 'keyed-list' && shape.mergeKey) return mergeKeyed(list, value, { ...shape, key: shape.mergeKey });
  return value.map((item) => (isRecord(item) ? mergeRecord({}, item, undefined) : item));
}

function mergeKeyed(
  list: readonly unknown[],
  patch: readonly unknown[],
  { key, item: itemShape }: { key: string; item?: Shape },
): unknown[] {
  const isReplace = patch.some((item) => isRecord(item) && item['$patch'] === 'replace');
  const merged = isReplace ? [] : [...list];
  for (const item of patch) {
    if (!isRecord(item)) throw new StrategicPatchError(`items of a list keyed by ${key} are objects`);
    if (item['$patch'] === 'replace' && item[key] === undefined) continue;
    if (item[key] === undefined)
      throw new StrategicPatchError(`map: ${goMap(item)} does not contain declared merge key: ${key}`);
    const at = merged.findIndex((candidate) => isRecord(candidate) && equalJson(candidate[key], item[key]));
    if (item['$patch'] === 'delete') {
      if (at >= 0) merged.splice(at, 1);
      continue;
    }
    const { $patch: directive, ...fields } = item;
    if (directive !== undefined && directive !== 'merge' && directive !== 'replace') {
      throw new StrategicPatchError(`unknown patch type: ${String(directive)} in map: ${goMap(item)}`);
    }
    const before = at < 0 || isReplace ? {} : merged[at];
    const next = mergeRecord(isRecord(before) ? before : {}, fields, itemShape);
    if (at < 0) merged.push(next);
    else merged[at] = next;
  }
  return inOrder(merged, { order: patch, original: list, key });
}

/** As Go prints a map. */
function goMap(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goMap).join(' ')}]`;
  if (!isRecord(value)) return String(value);
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${pairs.map(([key, inner]) => `${key}:${goMap(inner)}`).join(' ')}]`;
}

function mergeListDirectives(
  merged: Record<string, unknown>,
  {
    patch,
    target,
    shape,
  }: { patch: Record<string, unknown>; target: Record<string, unknown>; shape: Shape | undefined },
): void {
  for (const [directive, value] of Object.entries(patch)) {
    if (!Array.isArray(value)) continue;
    if (directive.startsWith(deletePrefix)) {
      const name = directive.slice(deletePrefix.length);
      const list = merged[name];
      if (Array.isArray(list)) merged[name] = list.filter((item) => !value.includes(item));
    } else if (directive.startsWith(orderPrefix)) {
      const name = directive.slice(orderPrefix.length);
      const listShape = memberShape(shape, name);
      const list = merged[name];
      const key = listShape?.type === 'keyed-list' ? listShape.mergeKey : undefined;
      const before: unknown = target[name];
      const original: readonly unknown[] = Array.isArray(before) ? before : [];
      if (Array.isArray(list)) merged[name] = inOrder(list, { order: value, original, key });
    }
  }
}

interface Order {
  readonly order: readonly unknown[];
  /** The list before the patch. */
  readonly original: readonly unknown[];
  readonly key: string | undefined;
}

/** Items that `order` names stand in its order, the others in that of the original list; between the two, what came first
 *  there comes first here, and what was not there comes before what was. */
function inOrder(list: readonly unknown[], { order, original, key }: Order): unknown[] {
  const idOf = (item: unknown) => (key && isRecord(item) ? item[key] : item);
  const indexIn = (items: readonly unknown[], item: unknown) =>
    items.findIndex((entry) => equalJson(idOf(entry), idOf(item)));
  const ordered = list
    .filter((item) => indexIn(order, item) >= 0)
    .sort((a, b) => indexIn(order, a) - indexIn(order, b));
  const others = list
    .filter((item) => indexIn(order, item) < 0)
    .sort((a, b) => indexIn(original, a) - indexIn(original, b));
  const result: unknown[] = [];
  let next = 0;
  for (const item of ordered) {
    const place = indexIn(original, item);
    while (next < others.length && place >= 0) {
      const other = indexIn(original, others[next]);
      if (other < 0 || other >= place) break;
      result.push(others[next++]);
    }
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}

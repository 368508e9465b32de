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
    throw new StrategicPatchError(`unknown patch directive ${JSON.stringify(directive)}`);
  }
  const merged = Array.isArray(retain)
    ? Object.fromEntries(Object.entries(target).filter(([key]) => retain.includes(key)))
    : { ...target };
  for (const [key, value] of Object.entries(rest)) {
    if (key.startsWith('$')) continue;
    if (value === null) delete merged[key];
    else setMember(merged, key, mergeValue(merged[key], value, memberShape(shape, key)));
  }
  mergeListDirectives(merged, rest, shape);
  return merged;
}

function mergeValue(target: unknown, value: unknown, shape: Shape | undefined): unknown {
  if (isRecord(value)) return mergeRecord(isRecord(target) ? target : {}, value, shape);
  if (!Array.isArray(value)) return value;
  const list: readonly unknown[] = Array.isArray(target) ? target : [];
  if (shape?.type === 'set') return [...list, ...value.filter((item) => !list.includes(item))];
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
    if (item[key] === undefined) throw new StrategicPatchError(`an item has no merge key ${key}`);
    const at = merged.findIndex((candidate) => isRecord(candidate) && equalJson(candidate[key], item[key]));
    if (item['$patch'] === 'delete') {
      if (at >= 0) merged.splice(at, 1);
      continue;
    }
    const { $patch: _directive, ...fields } = item;
    const before = at < 0 || isReplace ? {} : merged[at];
    const next = mergeRecord(isRecord(before) ? before : {}, fields, itemShape);
    if (at < 0) merged.push(next);
    else merged[at] = next;
  }
  return merged;
}

function mergeListDirectives(
  merged: Record<string, unknown>,
  patch: Record<string, unknown>,
  shape: Shape | undefined,
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
      if (Array.isArray(list)) merged[name] = inOrder(list, value, key);
    }
  }
}

/** Items that `order` names stand in its order; the others keep their place before the first ordered item that followed
 *  them. */
function inOrder(list: readonly unknown[], order: readonly unknown[], key: string | undefined): unknown[] {
  const idOf = (item: unknown) => (key && isRecord(item) ? item[key] : item);
  const rankOf = (item: unknown) => order.findIndex((entry) => equalJson(idOf(entry), idOf(item)));
  const ordered = list.filter((item) => rankOf(item) >= 0).sort((a, b) => rankOf(a) - rankOf(b));
  const others = list.filter((item) => rankOf(item) < 0);
  const result: unknown[] = [];
  let next = 0;
  for (const item of ordered) {
    while (next < others.length && list.indexOf(others[next]) < list.indexOf(item)) result.push(others[next++]);
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}

// kubectl apply's client-side algorithm. Additions and changes come from current → modified, deletions only from
// original → modified: what others have set stays.
import { equalJson, type GroupVersionKind, isRecord } from '../object/index.ts';
import { createThreeWayJsonMergePatch, setMember } from './json-merge-patch.ts';
import { builtInShape } from './kind-shapes.ts';
import { type KeyedListShape, memberShape, type Shape } from './shape.ts';

export interface ThreeWayInput {
  /** What was applied last (the last-applied annotation); undefined the first time. */
  readonly original: unknown;
  readonly modified: unknown;
  readonly current: unknown;
}

export interface ThreeWayPatch {
  /** How `body` is to be sent: strategic for built-in kinds, JSON merge for all others. */
  readonly type: 'merge' | 'strategic';
  /** `{}` when there is nothing to do. */
  readonly body: Record<string, unknown>;
}

/** The patch kubectl apply would send for an object of `kind`. */
export function createThreeWayMergePatch(
  input: ThreeWayInput,
  kind?: Omit<GroupVersionKind, 'version'>,
): ThreeWayPatch {
  const shape = kind && builtInShape(kind);
  if (!shape) return { type: 'merge', body: createThreeWayJsonMergePatch(input) };
  const { original, modified, current } = input;
  return { type: 'strategic', body: recordPatch(asRecord(original), asRecord(modified), { current, shape }) };
}

const asRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

interface Context {
  readonly current: unknown;
  readonly shape: Shape | undefined;
}

function recordPatch(
  original: Record<string, unknown>,
  modified: Record<string, unknown>,
  { current: live, shape }: Context,
): Record<string, unknown> {
  const current = asRecord(live);
  const patch: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(original)) {
    if (value !== undefined && modified[key] === undefined && current[key] !== undefined) setMember(patch, key, null);
  }
  for (const [key, value] of Object.entries(modified)) {
    if (value === undefined || equalJson(current[key], value)) continue;
    if (value === null) {
      if (current[key] !== undefined) setMember(patch, key, null);
      continue;
    }
    addMemberPatch(patch, key, {
      original: original[key],
      value,
      current: current[key],
      shape: memberShape(shape, key),
    });
  }
  const isUnion = shape?.type === 'struct' && shape.retainKeys;
  if (isUnion && Object.keys(patch).length > 0) patch['$retainKeys'] = Object.keys(modified).sort();
  return patch;
}

interface Member extends Context {
  readonly original: unknown;
  readonly value: unknown;
}

function addMemberPatch(patch: Record<string, unknown>, key: string, member: Member): void {
  const { original, value, current, shape } = member;
  if (isRecord(value) && isRecord(current)) {
    const inner = recordPatch(asRecord(original), value, { current, shape });
    if (Object.keys(inner).length > 0) setMember(patch, key, inner);
  } else if (Array.isArray(value) && Array.isArray(current) && shape?.type === 'set') {
    addSetPatch(patch, key, { original, value, current });
  } else if (Array.isArray(value) && Array.isArray(current) && isKeyed(shape, [value, current])) {
    addKeyedPatch(patch, key, { original: Array.isArray(original) ? original : [], value, current, shape });
  } else setMember(patch, key, value);
}

/** Only lists whose every item carries the key can be patched item by item. */
function isKeyed(
  shape: Shape | undefined,
  lists: readonly (readonly unknown[])[],
): shape is KeyedListShape & { readonly mergeKey: string } {
  if (shape?.type !== 'keyed-list') return false;
  const { mergeKey } = shape;
  return (
    mergeKey !== undefined &&
    lists.every((list) => list.every((item) => isRecord(item) && item[mergeKey] !== undefined))
  );
}

interface ListMember {
  readonly original: readonly unknown[];
  readonly value: readonly unknown[];
  readonly current: readonly unknown[];
  readonly shape: KeyedListShape & { readonly mergeKey: string };
}

function addKeyedPatch(patch: Record<string, unknown>, name: string, member: ListMember): void {
  const { original, value, current, shape } = member;
  const { mergeKey: key } = shape;
  const find = (list: readonly unknown[], item: unknown) =>
    asRecord(list.find((candidate) => equalJson(asRecord(candidate)[key], asRecord(item)[key])));
  const has = (list: readonly unknown[], item: unknown) => find(list, item)[key] !== undefined;
  const items: unknown[] = [];
  for (const item of value) {
    if (!has(current, item)) {
      items.push(item);
      continue;
    }
    const context = { current: find(current, item), shape: shape.item };
    const inner = recordPatch(find(original, item), asRecord(item), context);
    if (Object.keys(inner).length > 0) items.push({ ...inner, [key]: asRecord(item)[key] });
  }
  for (const item of original) {
    if (!has(value, item) && has(current, item)) items.push({ [key]: asRecord(item)[key], $patch: 'delete' });
  }
  const wanted = value.map((item) => asRecord(item)[key]);
  const present = current
    .map((item) => asRecord(item)[key])
    .filter((id) => wanted.some((other) => equalJson(other, id)));
  const isReordered = !equalJson(
    wanted.filter((id) => present.some((other) => equalJson(other, id))),
    present,
  );
  if (items.length === 0 && !isReordered) return;
  patch[`$setElementOrder/${name}`] = wanted.map((id) => ({ [key]: id }));
  if (items.length > 0) setMember(patch, name, items);
}

function addSetPatch(
  patch: Record<string, unknown>,
  name: string,
  { original, value, current }: { original: unknown; value: readonly unknown[]; current: readonly unknown[] },
): void {
  const added = value.filter((item) => !current.includes(item));
  const before: readonly unknown[] = Array.isArray(original) ? original : [];
  const removed = before.filter((item) => !value.includes(item) && current.includes(item));
  if (added.length > 0) setMember(patch, name, added);
  if (removed.length > 0) patch[`$deleteFromPrimitiveList/${name}`] = removed;
}

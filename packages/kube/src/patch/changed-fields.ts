// Which fields an object holds, and which differ between two versions of it, as field sets.
import { equalJson, isRecord } from '../object/index.ts';
import { type FieldSet, fieldElement, itemsByElement, valueElement } from './field-set.ts';
import { memberShape, type Shape } from './shape.ts';

const leaf: FieldSet = {};

/** Every field `value` holds. Records and keyed lists are walked; anything else is one leaf. */
export function fieldsOf(value: unknown, shape: Shape | undefined): FieldSet {
  const parts = partsOf(value, shape);
  if (!parts) return leaf;
  const set: Record<string, FieldSet> = {};
  for (const [element, part] of parts.entries) {
    // A list that is told apart item by item is nothing without items.
    const isItemless = Array.isArray(part.value) && part.value.length === 0;
    if (isItemless && (part.shape?.type === 'keyed-list' || part.shape?.type === 'set')) continue;
    const inner = fieldsOf(part.value, part.shape);
    const isHollow = Object.keys(inner).length === 0 && partsOf(part.value, part.shape) !== undefined;
    if (isHollow) continue;
    // Items of lists are members of their own beside their fields: removing an item removes that membership.
    set[element] = parts.areItems && Object.keys(inner).length > 0 ? { '.': leaf, ...inner } : inner;
  }
  return set;
}

/** Every field of a value that is new or gone as a whole: what holds other fields counts beside them. */
function wholeOf(value: unknown, shape: Shape | undefined): FieldSet {
  const parts = partsOf(value, shape);
  if (!parts) return leaf;
  const set: Record<string, FieldSet> = { '.': leaf };
  for (const [element, part] of parts.entries) set[element] = wholeOf(part.value, part.shape);
  return set;
}

interface Parts {
  readonly entries: ReadonlyMap<string, { readonly value: unknown; readonly shape: Shape | undefined }>;
  readonly areItems: boolean;
}

/** The parts that are owned one by one; undefined for what is owned as a whole. */
function partsOf(value: unknown, shape: Shape | undefined): Parts | undefined {
  if (shape?.type === 'atomic') return undefined;
  if (isRecord(value)) {
    if (shape?.type === 'struct' && shape.atomicForApply) return undefined;
    const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
    if (members.length === 0) return undefined;
    const entries = members.map(([name, inner]): [string, { value: unknown; shape: Shape | undefined }] => [
      fieldElement(name),
      { value: inner, shape: memberShape(shape, name) },
    ]);
    return { entries: new Map(entries), areItems: false };
  }
  if (!Array.isArray(value) || value.length === 0) return undefined;
  if (shape?.type === 'set') {
    const entries = new Map(value.map((item) => [valueElement(item), { value: item, shape: undefined }]));
    return { entries, areItems: true };
  }
  const items = shape?.type === 'keyed-list' ? itemsByElement(value, shape) : undefined;
  if (!items || shape?.type !== 'keyed-list') return undefined;
  const entries = new Map([...items].map(([element, item]) => [element, { value: item, shape: shape.item }]));
  return { entries, areItems: true };
}

/** Whether two values are told apart member by member, empty ones included. */
function canDiffer(before: unknown, after: unknown, shape: Shape | undefined): boolean {
  const isDivided = (value: unknown, other: unknown) =>
    partsOf(value, shape) !== undefined ||
    (isRecord(value) && Object.keys(value).length === 0 && isRecord(other) && partsOf(other, shape) !== undefined) ||
    (Array.isArray(value) && value.length === 0 && Array.isArray(other) && partsOf(other, shape) !== undefined);
  return isDivided(before, after) && isDivided(after, before);
}

export interface FieldChanges {
  /** Fields that are new or hold another value. */
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

export function changedFields(before: unknown, after: unknown, shape: Shape | undefined): FieldChanges {
  if (equalJson(before, after)) return { changed: {}, removed: {} };
  const old = partsOf(before, shape);
  const next = partsOf(after, shape);
  const changed: Record<string, FieldSet> = {};
  const removed: Record<string, FieldSet> = {};
  for (const [element, part] of next?.entries ?? []) {
    const was = old?.entries.get(element);
    if (!was) {
      changed[element] = wholeOf(part.value, part.shape);
    } else if (!equalJson(was.value, part.value)) {
      if (!canDiffer(was.value, part.value, part.shape)) {
        changed[element] = wholeOf(part.value, part.shape);
        if (partsOf(was.value, part.shape)) removed[element] = wholeOf(was.value, part.shape);
        continue;
      }
      const inner = changedFields(was.value, part.value, part.shape);
      if (Object.keys(inner.changed).length > 0) changed[element] = inner.changed;
      if (Object.keys(inner.removed).length > 0) removed[element] = inner.removed;
    }
  }
  for (const [element, part] of old?.entries ?? []) {
    if (next?.entries.has(element)) continue;
    removed[element] = wholeOf(part.value, part.shape);
  }
  return { changed, removed };
}

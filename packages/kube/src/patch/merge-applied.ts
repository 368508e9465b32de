// Putting an applied intent into a live object, and taking fields out of it again.
import { isRecord } from '../object/index.ts';
import { type FieldSet, fieldElement, isMember, itemsByElement, keyElement, valueElement } from './field-set.ts';
import { setMember } from './json-merge-patch.ts';
import { memberShape, type Shape } from './shape.ts';

export function mergeApplied(live: unknown, intent: unknown, shape: Shape | undefined): unknown {
  const isWhole = shape?.type === 'atomic' || (shape?.type === 'struct' && shape.atomicForApply);
  if (isWhole) return intent;
  if (isRecord(live) && isRecord(intent)) {
    const merged = { ...live };
    for (const [key, value] of Object.entries(intent)) {
      if (value === undefined) continue;
      setMember(
        merged,
        key,
        merged[key] === undefined ? value : mergeApplied(merged[key], value, memberShape(shape, key)),
      );
    }
    return merged;
  }
  if (Array.isArray(live) && Array.isArray(intent)) {
    if (shape?.type === 'set') return [...live, ...intent.filter((item) => !live.includes(item))];
    if (shape?.type === 'keyed-list') {
      const items = itemsByElement(live, shape);
      const wanted = itemsByElement(intent, shape);
      if (!items || !wanted) return intent;
      for (const [element, item] of wanted) {
        const before = items.get(element);
        items.set(element, before === undefined ? item : mergeApplied(before, item, shape.item));
      }
      return [...items.values()];
    }
  }
  return intent;
}

interface Removal {
  readonly remove: FieldSet | undefined;
  /** Fields somebody still owns: what holds one of them stays, emptied of the rest. */
  readonly keep: FieldSet | undefined;
  readonly shape: Shape | undefined;
}

const nothing = Symbol('removed');

export function removeFields(value: unknown, removal: Removal): unknown {
  const left = without(value, removal);
  return left === nothing ? {} : left;
}

function without(value: unknown, { remove, keep, shape }: Removal): unknown {
  if (remove === undefined || Object.keys(remove).length === 0) return value;
  if (isRecord(value)) {
    const left: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) {
      const element = fieldElement(key);
      const part = { remove: remove[element], keep: keep?.[element], shape: memberShape(shape, key) };
      const kept = withoutPart(inner, part);
      if (kept !== nothing) setMember(left, key, kept);
    }
    return Object.keys(left).length === 0 && keep === undefined ? nothing : left;
  }
  if (!Array.isArray(value)) return value;
  const itemShape = shape?.type === 'keyed-list' ? shape.item : undefined;
  const elementOf = (item: unknown) => (shape?.type === 'keyed-list' ? keyElement(item, shape) : valueElement(item));
  const left = value
    .map((item) => {
      const element = elementOf(item) ?? '';
      return withoutPart(item, { remove: remove[element], keep: keep?.[element], shape: itemShape });
    })
    .filter((item) => item !== nothing);
  return left.length === 0 && keep === undefined ? nothing : left;
}

function withoutPart(value: unknown, part: Removal): unknown {
  if (part.remove === undefined) return value;
  if (isMember(part.remove) && part.keep === undefined) return nothing;
  return without(value, part);
}

// Strategic merge as kustomize does it: maps merge, null removes, keyed lists merge item by item with the items of the
// patch first, other lists are replaced; `$patch: delete | replace | merge` on maps and items.
import { RenderError, UnsupportedSourceError } from '../errors.ts';
import { isEmptyMember } from '../yaml/index.ts';
import { type Fields, isFields, own, put } from './fields.ts';
import { isBuiltInGroup, type ListPath, type ListShape, listShape } from './merge-keys.ts';

interface Place {
  readonly group: string;
  readonly path: ListPath;
  /** The patch, for messages. */
  readonly where: string;
}

/** The merged object; undefined when the patch deletes it. The target is not changed. */
export function strategicMerge(target: Fields, patch: Fields, place: Omit<Place, 'path'>): Fields | undefined {
  return mergeMaps(withoutEmptyMembers(target, { ...place, path: [] }), patch, { ...place, path: [] });
}

/** A patch removes what was left empty (`key:`) wherever it looks, be it named or not; what says null stays. */
function withoutEmptyMembers(target: Fields, place: Place): Fields {
  const kept: Fields = {};
  for (const [key, value] of Object.entries(target)) {
    if (value === null && isEmptyMember(target, key)) continue;
    put(kept, key, keptValue(value, { ...place, path: [...place.path, key] }));
  }
  return kept;
}

function keptValue(value: unknown, place: Place): unknown {
  if (isFields(value)) return withoutEmptyMembers(value, place);
  if (!Array.isArray(value) || listShape(place.group, place.path)?.type !== 'keyed') return value;
  return value.map((item) => (isFields(item) ? withoutEmptyMembers(item, place) : item));
}

function mergeMaps(target: Fields, patch: Fields, place: Place): Fields | undefined {
  const directive = own(patch, '$patch');
  if (directive === 'delete') return undefined;
  const merged: Fields = directive === 'replace' ? {} : { ...target };
  if (directive !== undefined && directive !== 'replace' && directive !== 'merge') {
    throw new RenderError(`${place.where}: unknown patch strategy ${JSON.stringify(directive)}`);
  }
  for (const [key, value] of Object.entries(patch)) {
    if (key === '$patch') continue;
    if (key.startsWith('$')) throw new UnsupportedSourceError(`${place.where}: directive ${key} is not supported`);
    const result = mergeValues(own(merged, key), value, { ...place, path: [...place.path, key] });
    if (result === undefined) delete merged[key];
    else put(merged, key, result);
  }
  return merged;
}

/** undefined removes the field. */
function mergeValues(target: unknown, patch: unknown, place: Place): unknown {
  if (patch === null) return undefined;
  if (isFields(patch)) return mergeMaps(isFields(target) ? target : {}, patch, place);
  if (!Array.isArray(patch)) return patch;
  const list: readonly unknown[] = Array.isArray(target) ? target : [];
  const shape = listShape(place.group, place.path);
  if (!shape && !isBuiltInGroup(place.group)) return patch.map(asWritten);
  if (!shape) return patch.map((item) => (isFields(item) ? mergeMaps({}, item, place) : item));
  if (shape.type === 'set') return [...patch, ...list.filter((item) => !patch.includes(item))];
  return mergeItems(list, patch, { ...place, shape });
}

/** Lists of kinds that kustomize knows nothing of are taken as they stand; what was left empty is an empty text there. */
function asWritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asWritten);
  if (!isFields(value)) return value;
  const written: Fields = {};
  for (const [key, inner] of Object.entries(value))
    put(written, key, isEmptyMember(value, key) ? '' : asWritten(inner));
  return written;
}

function mergeItems(
  target: readonly unknown[],
  patch: readonly unknown[],
  { shape, ...place }: Place & { readonly shape: ListShape },
): unknown[] {
  const items = patch.filter(isFields);
  if (items.length !== patch.length) throw new RenderError(`${place.where}: ${place.path.join('.')} holds no maps`);
  const whole = items.find((item) => item['$patch'] === 'replace' && shape.keys.every((key) => !(key in item)));
  if (whole) return items.filter((item) => item !== whole);
  // A second key that no item has is none.
  const isSplit = shape.keys
    .slice(1)
    .some((key) => [...target, ...items].some((item) => isFields(item) && key in item));
  if (isSplit) return mergeByManyKeys(target, items, { ...place, shape });
  const rest = [...target];
  const merged: unknown[] = [];
  for (const item of items) {
    const at = rest.findIndex((candidate) => isFields(candidate) && isSameItem(candidate, item, shape.keys));
    const [found] = at < 0 ? [] : rest.splice(at, 1);
    const result = mergeMaps(isFields(found) ? found : {}, item, place);
    if (result) merged.push(result);
  }
  return [...merged, ...rest];
}

/**
 * With several keys kustomize leaves items where they are and puts new ones first. An item of the patch that differs
 * from one of the list only in that one of them lacks a key (a port without its protocol) is lost, as it is there.
 */
function mergeByManyKeys(
  target: readonly unknown[],
  patch: readonly Fields[],
  { shape, ...place }: Place & { readonly shape: ListShape },
): unknown[] {
  const kept = target.flatMap((item): unknown[] => {
    const found = isFields(item) ? patch.find((candidate) => isSameItem(candidate, item, shape.keys)) : undefined;
    const merged = found && isFields(item) ? mergeMaps(item, found, place) : item;
    return merged === undefined ? [] : [merged];
  });
  const isClose = (a: unknown, b: unknown) => a === b || a === undefined || b === undefined;
  const known = (item: Fields) =>
    target.some((other) => isFields(other) && shape.keys.every((key) => isClose(own(other, key), own(item, key))));
  const added = patch.filter((item) => !known(item)).map((item) => mergeMaps({}, item, place));
  return [...added.filter((item) => item !== undefined), ...kept];
}

/** A key that neither item has does not count. */
const isSameItem = (a: Fields, b: Fields, keys: readonly string[]): boolean =>
  keys.every((key) => own(a, key) === own(b, key));

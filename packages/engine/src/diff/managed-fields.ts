// `managedFieldsManagers`: what the named managers own, by the object's own managedFields, does not count. Pure.
import { isRecord, type KubeObject, listAt, recordAt, stringAt } from '@fairlead/kube';

type FieldSet = Readonly<Record<string, unknown>>;

/** Both sides without the fields that `managers` own on the live object. */
export function withoutManagedBy<T extends KubeObject>(object: T, live: KubeObject, managers: readonly string[]): T {
  const owned = listAt(live, 'metadata', 'managedFields').filter((entry) =>
    managers.includes(stringAt(entry, 'manager') ?? ''),
  );
  return owned.reduce<unknown>((value, entry) => without(value, recordAt(entry, 'fieldsV1')), object) as T; // fields go, the identity stays
}

function without(value: unknown, set: FieldSet): unknown {
  let result = value;
  for (const [element, node] of Object.entries(set)) {
    if (element === '.' || !isRecord(node)) continue;
    const isLeaf = Object.keys(node).every((key) => key === '.');
    result = element.startsWith('f:')
      ? withoutField(result, element.slice(2), isLeaf ? undefined : node)
      : withoutItem(result, element, isLeaf ? undefined : node);
  }
  return result;
}

function withoutField(value: unknown, name: string, inner: FieldSet | undefined): unknown {
  if (!isRecord(value) || !Object.hasOwn(value, name)) return value;
  if (inner) return { ...value, [name]: without(value[name], inner) };
  const { [name]: _owned, ...rest } = value;
  return rest;
}

/** `k:{"name":"web"}` is an item by its keys, `v:"x"` by its value. */
function withoutItem(value: unknown, element: string, inner: FieldSet | undefined): unknown {
  if (!Array.isArray(value)) return value;
  const wanted: unknown = JSON.parse(element.slice(2));
  const isHit = (item: unknown) =>
    element.startsWith('k:') && isRecord(wanted) && isRecord(item)
      ? Object.entries(wanted).every(([key, part]) => item[key] === part)
      : item === wanted;
  if (!inner) return value.filter((item) => !isHit(item));
  return value.map((item) => (isHit(item) ? without(item, inner) : item));
}

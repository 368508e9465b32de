import { isRecord, type JsonRecord } from '@fairlead/kube/object';

/** `record` with `values` for members that are absent; the same record when none is. */
export function fill(record: unknown, values: JsonRecord): Record<string, unknown> {
  const given = isRecord(record) ? record : {};
  const missing = Object.entries(values).filter(([key]) => given[key] === undefined || given[key] === null);
  return missing.length === 0 && given === record ? given : { ...given, ...Object.fromEntries(missing) };
}

/** `record` with its member `key` (if it is there) mapped. */
export function mapMember(
  record: Record<string, unknown>,
  key: string,
  change: (value: unknown) => unknown,
): Record<string, unknown> {
  const value = record[key];
  if (value === undefined || value === null) return record;
  const next = change(value);
  return next === value ? record : { ...record, [key]: next };
}

/** `record` with every record of its list `key` mapped. */
export function mapItems(
  record: Record<string, unknown>,
  key: string,
  change: (item: Record<string, unknown>) => Record<string, unknown>,
): Record<string, unknown> {
  return mapMember(record, key, (list) => {
    if (!Array.isArray(list)) return list;
    const next = list.map((item: unknown) => (isRecord(item) ? change(item) : item));
    return next.every((item, index) => item === list[index]) ? list : next;
  });
}

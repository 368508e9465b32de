// RFC 7386. Values are never changed in place; untouched parts are shared with the input.
import { equalJson, isRecord } from '../object/index.ts';

export function jsonMergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const merged: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else if (value !== undefined) setMember(merged, key, jsonMergePatch(merged[key], value));
  }
  return merged;
}

/** `__proto__` as a member name must stay data. */
export function setMember(record: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
  } else record[key] = value;
}

/** The smallest merge patch that turns `from` into `to`: jsonMergePatch(from, createMergePatch(from, to)) equals `to`,
 *  provided `to` holds no nulls, which a merge patch cannot say. `{}` when nothing differs. */
export function createMergePatch(from: unknown, to: unknown): unknown {
  if (!isRecord(from) || !isRecord(to)) return to;
  const patch: Record<string, unknown> = {};
  for (const key of Object.keys(from))
    if (to[key] === undefined && from[key] !== undefined) setMember(patch, key, null);
  for (const [key, value] of Object.entries(to)) {
    if (value === undefined || equalJson(from[key], value)) continue;
    const isInner = isRecord(from[key]) && isRecord(value);
    setMember(patch, key, isInner ? createMergePatch(from[key], value) : value);
  }
  return patch;
}

interface ThreeWay {
  /** What was applied last; undefined the first time. */
  readonly original: unknown;
  readonly modified: unknown;
  readonly current: unknown;
}

/** kubectl apply for kinds without list keys: adds and changes come from current → modified, deletions only from
 *  original → modified, so that fields others have set stay. `{}` when nothing is to be done. */
export function createThreeWayJsonMergePatch({ original, modified, current }: ThreeWay): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  const from = isRecord(current) ? current : {};
  const last = isRecord(original) ? original : {};
  const to = isRecord(modified) ? modified : {};
  for (const [key, value] of Object.entries(last)) {
    if (value !== undefined && to[key] === undefined && from[key] !== undefined) setMember(patch, key, null);
  }
  for (const [key, value] of Object.entries(to)) {
    if (value === undefined || equalJson(from[key], value)) continue;
    if (value === null) {
      if (from[key] !== undefined) setMember(patch, key, null);
    } else if (isRecord(value) && isRecord(from[key])) {
      const inner = createThreeWayJsonMergePatch({ original: last[key], modified: value, current: from[key] });
      if (Object.keys(inner).length > 0) setMember(patch, key, inner);
    } else setMember(patch, key, value);
  }
  return patch;
}

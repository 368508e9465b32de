// JSON values as this house handles them: plain, immutable by habit. A member that is `undefined` counts as absent.

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Structural equality of JSON values; the order of members means nothing, the order of lists does. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equalJson(item, b[index]));
  }
  if (!isRecord(a) || !isRecord(b)) return false;
  return holdsAll(a, b) && holdsAll(b, a, true);
}

function holdsAll(a: JsonRecord, b: JsonRecord, keysOnly = false): boolean {
  for (const key in a) {
    if (a[key] === undefined) continue;
    if (keysOnly ? b[key] === undefined : !equalJson(a[key], b[key])) return false;
  }
  return true;
}

/** The value at a path of member names, or undefined as soon as the path leaves the records. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (!isRecord(at)) return undefined;
    at = at[name];
  }
  return at;
}

export function recordAt(value: unknown, ...path: readonly string[]): Record<string, unknown> {
  const found = valueAt(value, ...path);
  return isRecord(found) ? found : {};
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function stringAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'number' ? found : undefined;
}

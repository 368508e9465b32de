// Parameters that generators make and templates use. With Go templates they keep their shape; otherwise they are texts
// under dotted names, as Argo CD's older templates know them. Pure.
import { isRecord } from '@fairlead/kube';

export type Parameters = Readonly<Record<string, unknown>>;

/**
 * Nested values under dotted names; lists by index. Everything becomes a text. The folder of the git generator is
 * `path` and `path[0]` here, which Go templates know as `path.path` and `path.segments`.
 */
export function flatten(value: unknown, prefix = ''): Record<string, string> {
  if (Array.isArray(value))
    return Object.assign({}, ...value.map((item, index) => flatten(item, `${prefix}[${index}]`)));
  if (isRecord(value)) {
    if (prefix !== '' && typeof value['path'] === 'string' && Array.isArray(value['segments'])) {
      const { path, segments, ...rest } = value;
      return { [prefix]: path, ...flatten(segments, prefix), ...flatten(rest, prefix) };
    }
    const parts = Object.entries(value).map(([key, inner]) => flatten(inner, prefix ? `${prefix}.${key}` : key));
    return Object.assign({}, ...parts);
  }
  return prefix ? { [prefix]: value === null || value === undefined ? '' : String(value) } : {};
}

/** A name that DNS allows: lower case, at most 253, other letters become `-`. */
export function normalizeName(text: string): string {
  const clean = text
    .toLowerCase()
    .replaceAll(/[^-a-z0-9.]/g, '-')
    .slice(0, 253);
  return clean.replaceAll(/^[-.]+|[-.]+$/g, '');
}

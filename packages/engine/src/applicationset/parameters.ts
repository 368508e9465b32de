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

const maxSlug = 50;

/** A name for addresses, as Argo CD makes it of a branch: lower case, at most 50, cut between words. */
export function slug(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const clean = plain
    .replaceAll(/[^a-z0-9-_]+/g, '-')
    .replaceAll(/-+/g, '-')
    .replaceAll(/^[-_]+|[-_]+$/g, '');
  if (clean.length <= maxSlug) return clean;
  const cut = clean.slice(0, maxSlug + 1).lastIndexOf('-');
  return cut > 0 ? clean.slice(0, cut) : clean.slice(0, maxSlug);
}

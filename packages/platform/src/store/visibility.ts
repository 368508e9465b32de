// Which applications somebody may do something with, as SQL over `applications` joined with `runtimes`. It must select
// exactly what the evaluator (access/evaluate) allows; a property test holds the two together.
import type { AccessAttributes } from '@fairlead/contracts';
import { type Expression, type SqlBool, sql } from 'kysely';

/** Plain JSON, so that it can be part of a remembered question. */
export interface Visibility {
  readonly allow: 'all' | readonly AccessAttributes[];
  readonly deny: readonly AccessAttributes[];
}

export const seesAll: Visibility = { allow: 'all', deny: [] };

export const isUnrestricted = ({ allow, deny }: Visibility): boolean => allow === 'all' && deny.length === 0;

export function isVisible({ allow, deny }: Visibility): Expression<SqlBool> {
  const allowed = allow === 'all' ? sql<SqlBool>`true` : anyOf(allow);
  return deny.length === 0 ? allowed : sql<SqlBool>`(${allowed} and not ${anyOf(deny)})`;
}

const columns = {
  runtimes: 'runtimes.name',
  clusters: 'applications.cluster',
  namespaces: 'applications.destination_namespace',
  projects: 'applications.project',
  names: 'applications.name',
} as const;
type Dimension = keyof typeof columns;
const dimensions = Object.keys(columns) as Dimension[]; // the keys of the object above

function anyOf(all: readonly AccessAttributes[]): Expression<SqlBool> {
  if (all.some(isEverything)) return sql<SqlBool>`true`;
  const merged = mergeSingles(all);
  return merged.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`(${sql.join(merged.map(matches), sql` or `)})`;
}

const givenIn = (attributes: AccessAttributes) => dimensions.filter((name) => attributes[name] !== undefined);
const labelsOf = ({ labels }: AccessAttributes) => Object.entries(labels ?? {});
const isEverything = (attributes: AccessAttributes) =>
  givenIn(attributes).length === 0 && labelsOf(attributes).length === 0;

/** Many rules name one thing only (a project each, say): together they are one list, which is looked up by hash. */
function mergeSingles(all: readonly AccessAttributes[]): AccessAttributes[] {
  const lists = new Map<Dimension, Set<string>>();
  const others: AccessAttributes[] = [];
  for (const attributes of all) {
    const [only, another] = givenIn(attributes);
    if (only === undefined || another !== undefined || labelsOf(attributes).length > 0) others.push(attributes);
    else lists.set(only, new Set([...(lists.get(only) ?? []), ...(attributes[only] ?? [])]));
  }
  return [...[...lists].map(([name, values]) => ({ [name]: [...values] })), ...others];
}

function matches(attributes: AccessAttributes): Expression<SqlBool> {
  const parts = givenIn(attributes).map((name) => isOneOf(columns[name], attributes[name] ?? []));
  for (const [key, value] of labelsOf(attributes)) {
    parts.push(
      isGlob(value)
        ? sql<SqlBool>`(applications.labels ? ${key} and applications.labels ->> ${key} like ${likeOf(value)})`
        : sql<SqlBool>`applications.labels @> ${JSON.stringify({ [key]: value })}::jsonb`,
    );
  }
  return sql<SqlBool>`(${sql.join(parts, sql` and `)})`;
}

function isOneOf(column: string, patterns: readonly string[]): Expression<SqlBool> {
  const exact = patterns.filter((pattern) => !isGlob(pattern));
  const globs = patterns.filter(isGlob).map(likeOf);
  const parts: Expression<SqlBool>[] = [];
  if (exact.length > 0) parts.push(sql<SqlBool>`${sql.ref(column)} = any(${exact}::text[])`);
  if (globs.length > 0) parts.push(sql<SqlBool>`${sql.ref(column)} like any(${globs}::text[])`);
  return parts.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`(${sql.join(parts, sql` or `)})`;
}

const isGlob = (pattern: string) => /[*?]/.test(pattern);
const likeOf = (glob: string) =>
  glob
    .replaceAll(/[\\%_]/g, String.raw`\$&`)
    .replaceAll('*', '%')
    .replaceAll('?', '_');

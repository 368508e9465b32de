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
  const { lookups, others } = byLookup(mergeSingles(all));
  const terms = [...lookups].map(([names, values]) => isAmongJoined(names.split(' ') as Dimension[], [...values])); // names are dimensions
  terms.push(...others.map(matches));
  return terms.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`(${sql.join(terms, sql` or `)})`;
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

/** In no rule's value that is joined; so a joined text is equal only when each of its parts is. */
const separator = '\u001f';
/** Combinations that one rule may be written out as. */
const maxCombinations = 64;

/** Rules that name the same several things exactly (a cluster and a project each, say) are one list of combinations. */
function byLookup(all: readonly AccessAttributes[]) {
  const lookups = new Map<string, Set<string>>();
  const others: AccessAttributes[] = [];
  for (const attributes of all) {
    const names = givenIn(attributes);
    const combinations = names.length < 2 || labelsOf(attributes).length > 0 ? undefined : combine(names, attributes);
    if (!combinations) others.push(attributes);
    else lookups.set(names.join(' '), new Set([...(lookups.get(names.join(' ')) ?? []), ...combinations]));
  }
  return { lookups, others };
}

/** Undefined when one of the values is a pattern, or when there would be too many. */
function combine(names: readonly Dimension[], attributes: AccessAttributes): string[] | undefined {
  let combinations = [''];
  for (const [index, name] of names.entries()) {
    const values = attributes[name] ?? [];
    if (values.some((value) => isGlob(value) || value.includes(separator))) return undefined;
    const lead = index === 0 ? '' : separator;
    combinations = combinations.flatMap((before) => values.map((value) => `${before}${lead}${value}`));
    if (combinations.length > maxCombinations) return undefined;
  }
  return combinations;
}

function isAmongJoined(names: readonly Dimension[], combinations: readonly string[]): Expression<SqlBool> {
  const joined = sql.join(
    names.map((name) => sql.ref(columns[name])),
    sql` || ${sql.lit(separator)} || `,
  );
  return sql<SqlBool>`((${joined}) = any(${combinations}::text[]))`;
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

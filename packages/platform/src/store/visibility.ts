// Which applications, runtimes, clusters and Git Sources somebody may do something with, as SQL over `applications`, `runtimes`
// or `reported_objects`, joined with `runtimes`. It must select exactly what the evaluator (contracts/access) allows; a
// property test holds the two together.
import { type AccessAttributes, type AccessEntity, seesAll, type Visibility } from '@fairlead/contracts';
import { type Expression, type SqlBool, sql } from 'kysely';

/** What somebody sees of each entity. */
export type Sight = Readonly<Record<AccessEntity, Visibility>>;

export const seesEverything: Sight = { application: seesAll, runtime: seesAll, cluster: seesAll, gitSource: seesAll };

export function isVisible(
  { allow, deny, manifests }: Visibility,
  entity: AccessEntity = 'application',
): Expression<SqlBool> {
  const columns = columnsOf[entity];
  const allowed = allow === 'all' ? sql<SqlBool>`true` : anyOf(allow, columns);
  const ruled = deny.length === 0 ? allowed : sql<SqlBool>`(${allowed} and not ${anyOf(deny, columns)})`;
  const place = placeOf[entity];
  return manifests === undefined || !place ? ruled : sql<SqlBool>`(${place} = any(${manifests}::text[]) and ${ruled})`;
}

/** Where a Git Source takes applications from, as `manifestsPlace` writes it. */
export const gitSourcePlace = sql<string>`(reported_objects.runtime_id || ' ' || replace(reported_objects.payload ->> 'repoUrl', ' ', '%20'))`;

/** What is seen where Git can be read there; of the others Git holds nothing. */
const placeOf: Readonly<Partial<Record<AccessEntity, Expression<string>>>> = {
  application: sql.ref('applications.manifests'),
  gitSource: gitSourcePlace,
};

const dimensions = ['runtimes', 'clusters', 'namespaces', 'projects', 'names'] as const;
type Dimension = (typeof dimensions)[number];
type Columns = Readonly<Record<Dimension, Expression<string>>>;

const none = sql<string>`''`;
const runtimeName = sql.ref<string>('runtimes.name');
const reportedName = sql<string>`(reported_objects.payload ->> 'name')`;

/** As `ruledEntities` has it; attributes that rules on an entity cannot name are empty. */
const columnsOf: Readonly<Record<AccessEntity, Columns>> = {
  application: {
    runtimes: runtimeName,
    clusters: sql.ref('applications.cluster'),
    namespaces: sql.ref('applications.destination_namespace'),
    projects: sql.ref('applications.project'),
    names: sql.ref('applications.name'),
  },
  runtime: { runtimes: runtimeName, clusters: none, namespaces: none, projects: none, names: runtimeName },
  cluster: { runtimes: runtimeName, clusters: reportedName, namespaces: none, projects: none, names: reportedName },
  gitSource: { runtimes: runtimeName, clusters: none, namespaces: none, projects: none, names: reportedName },
};

function anyOf(all: readonly AccessAttributes[], columns: Columns): Expression<SqlBool> {
  if (all.some(isEverything)) return sql<SqlBool>`true`;
  const { lookups, others } = byLookup(mergeSingles(all));
  const among = ([names, values]: [string, Set<string>]) =>
    isAmongJoined(
      names.split(' ').map((name) => columns[name as Dimension]), // they were joined from dimensions
      [...values],
    );
  const terms = [...lookups].map(among);
  terms.push(...others.map((attributes) => matches(attributes, columns)));
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

function isAmongJoined(parts: readonly Expression<string>[], combinations: readonly string[]): Expression<SqlBool> {
  const joined = sql.join(parts, sql` || ${sql.lit(separator)} || `);
  return sql<SqlBool>`((${joined}) = any(${combinations}::text[]))`;
}

/** Only applications have labels, and only rules on them can name any. */
function matches(attributes: AccessAttributes, columns: Columns): Expression<SqlBool> {
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

function isOneOf(column: Expression<string>, patterns: readonly string[]): Expression<SqlBool> {
  const exact = patterns.filter((pattern) => !isGlob(pattern));
  const globs = patterns.filter(isGlob).map(likeOf);
  const parts: Expression<SqlBool>[] = [];
  if (exact.length > 0) parts.push(sql<SqlBool>`${column} = any(${exact}::text[])`);
  if (globs.length > 0) parts.push(sql<SqlBool>`${column} like any(${globs}::text[])`);
  return parts.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`(${sql.join(parts, sql` or `)})`;
}

const isGlob = (pattern: string) => /[*?]/.test(pattern);
const likeOf = (glob: string) =>
  glob
    .replaceAll(/[\\%_]/g, String.raw`\$&`)
    .replaceAll('*', '%')
    .replaceAll('?', '_');

// Which applications a question selects, as SQL: lists, counts and facets share it.
import { isUnrestricted, type Visibility } from '@fairlead/contracts';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from './schema.ts';
import { isVisible } from './visibility.ts';

export const filterNames = [
  'health',
  'sync',
  'runtime',
  'cluster',
  'namespace',
  'destinationNamespace',
  'project',
  'repo',
] as const;
export type FilterName = (typeof filterNames)[number];

export type ApplicationFilter = {
  readonly accountId: string;
  readonly visibility: Visibility;
  readonly search?: string | undefined;
  /** Each `key=value`, or `key` for any value; all must be there. */
  readonly label?: readonly string[] | undefined;
} & { readonly [N in FilterName]?: readonly string[] | undefined };

export const filterColumns = {
  health: 'applications.health',
  sync: 'applications.sync',
  runtime: 'runtimes.name',
  cluster: 'applications.cluster',
  namespace: 'applications.namespace',
  destinationNamespace: 'applications.destination_namespace',
  project: 'applications.project',
  repo: 'applications.repo',
} as const satisfies Record<FilterName, string>;

type Builder = ExpressionBuilder<Database, 'applications' | 'runtimes'>;

/** What people deploy. Git Sources and the runtime's own configuration are Applications too, and have lists of their own. */
export const isDeployed = sql<SqlBool>`applications.entity = ''`;

/** True when the filter selects all that may be seen. */
export const isUnfiltered = ({ search, label, ...filter }: ApplicationFilter): boolean =>
  wordsOf(search).length === 0 && !label?.length && filterNames.every((name) => !filter[name]?.length);

export const filters = (eb: Builder, filter: ApplicationFilter): Expression<SqlBool>[] => [
  ...chosen(eb, filter),
  ...visible(filter),
];

/** Everything but the filters by value. */
export const scope = (eb: Builder, filter: ApplicationFilter): Expression<SqlBool>[] => [
  ...within(eb, filter),
  ...visible(filter),
];

/** What was asked for, whoever asks. Its parameters are `chosenValues`, in that order. */
export function chosen(eb: Builder, filter: ApplicationFilter): Expression<SqlBool>[] {
  const among = filterNames.flatMap((name) => {
    const values = filter[name];
    return values?.length ? [isAmong(name, values)] : [];
  });
  return [...within(eb, filter), ...among];
}

export const chosenValues = (filter: ApplicationFilter): unknown[] => [
  filter.accountId,
  ...wordsOf(filter.search).map(likePattern),
  ...(filter.label ?? []).map(labelValue),
  ...filterNames.flatMap((name) => (filter[name]?.length ? [filter[name]] : [])),
];

/** Equal for questions that differ in their values alone. */
export const chosenShape = (filter: ApplicationFilter): string =>
  JSON.stringify([
    wordsOf(filter.search).length,
    (filter.label ?? []).map((wanted) => wanted.includes('=')),
    filterNames.filter((name) => filter[name]?.length),
  ]);

export const visible = ({ visibility }: ApplicationFilter): Expression<SqlBool>[] =>
  isUnrestricted(visibility) ? [] : [isVisible(visibility)];

export const isAmong = (name: FilterName, values: readonly string[]): Expression<SqlBool> =>
  sql<SqlBool>`${sql.ref(filterColumns[name])} = any(${values}::text[])`;

function within(eb: Builder, { accountId, search, label }: ApplicationFilter): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = [eb('applications.account_id', '=', accountId), isDeployed];
  // Each word must be found somewhere.
  for (const word of wordsOf(search)) {
    all.push(sql<SqlBool>`applications.search like ${likePattern(word)}`);
  }
  for (const wanted of label ?? []) {
    all.push(
      wanted.includes('=')
        ? sql<SqlBool>`applications.labels @> ${labelValue(wanted)}::jsonb`
        : sql<SqlBool>`applications.labels ? ${labelValue(wanted)}`,
    );
  }
  return all;
}

function labelValue(wanted: string): string {
  const [key = '', value] = wanted.split('=', 2);
  return value === undefined ? key : JSON.stringify({ [key]: value });
}

/** Anywhere in the text; % and _ stand for themselves. */
export const likePattern = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

const wordsOf = (search: string | undefined) => (search ?? '').toLowerCase().split(/\s+/).filter(Boolean);

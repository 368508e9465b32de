// Which values each filter could take, with how many applications each would leave: a facet is counted under all other
// filters, but not under its own. One pass over the applications for all facets.
import type { ApplicationFacets } from '@fairlead/contracts';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { type ApplicationFilter, filterColumns, filterNames, isAmong, scope } from './application-filter.ts';
import type { Database } from './schema.ts';

/** Values per facet; the most frequent ones. */
const maxValues = 200;

export async function countFacets(db: Kysely<Database>, filter: ApplicationFilter): Promise<ApplicationFacets> {
  const narrow = db
    .selectFrom('applications')
    .innerJoin('runtimes', 'runtimes.id', 'applications.runtime_id')
    .where((eb) => eb.and(scope(eb, filter)))
    .select((eb) => filterNames.map((name) => eb.ref(filterColumns[name]).as(`value_${name}`)))
    .select(
      filterNames.map((name) => {
        const values = filter[name];
        const isSelected = values?.length ? isAmong(name, values) : sql<SqlBool>`true`;
        return sql<SqlBool>`${isSelected}`.as(`is_${name}`);
      }),
    );
  const branches = filterNames.map((name) => {
    const others = filterNames.filter((other) => other !== name && filter[other]?.length);
    const under =
      others.length === 0
        ? sql`true`
        : sql.join(
            others.map((other) => sql.ref(`is_${other}`)),
            sql` and `,
          );
    return sql`(select ${sql.lit(name)} as facet, ${sql.ref(`value_${name}`)} as value, count(*)::int as count
      from narrow where ${under} group by 2 order by 3 desc, 2 limit ${sql.lit(maxValues + 1)})`;
  });
  const { rows } = await sql<{ facet: string; value: string; count: number }>`
    with narrow as materialized (${narrow}) ${sql.join(branches, sql` union all `)}`.execute(db);
  return Object.fromEntries(
    filterNames.map((name) => {
      const values = rows.filter(({ facet }) => facet === name);
      const shown = values.slice(0, maxValues).map(({ value, count }) => ({ value, count }));
      return [name, { values: shown, more: values.length > maxValues }];
    }),
  ) as ApplicationFacets; // every name of the contract is in filterNames
}

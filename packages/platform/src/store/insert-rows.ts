// Many rows in one statement whose text does not depend on how many there are: each column travels as one array. The
// database reads and plans a few lines instead of thousands of placeholders. Rows are written in the order given.
import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from './database.ts';
import type { Database } from './schema.ts';

type ColumnType = 'text' | 'bigint' | 'integer' | 'boolean' | 'timestamptz' | 'json' | 'jsonb';

/** What is written: JSON as text, moments as dates. */
type Value = string | number | boolean | Date | null;

interface Inserted<Column extends string> {
  readonly table: keyof Database;
  readonly types: Readonly<Record<Column, ColumnType>>;
  readonly rows: readonly Readonly<Record<Column, Value>>[];
  /** The clause, with what is returned. */
  readonly onConflict?: RawBuilder<unknown>;
}

/** At least one row: an empty list is for the caller to see. */
export async function insertRows<Returned, Column extends string = string>(
  trx: Transaction,
  { table, types, rows, onConflict = sql`` }: Inserted<Column>,
): Promise<Returned[]> {
  const columns = Object.keys(types) as Column[]; // an object literal of exactly these names
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const arrays = sql.join(
    columns.map((column) => sql`${rows.map((row) => row[column])}::${sql.raw(`${types[column]}[]`)}`),
  );
  const insert = sql<Returned>`insert into ${sql.table(table)} (${names}) select * from unnest(${arrays}) ${onConflict}`;
  return (await insert.execute(trx)).rows;
}

/** `set column = excluded.column, …` */
export const takenFromExcluded = (columns: readonly string[]): RawBuilder<unknown> =>
  sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`));

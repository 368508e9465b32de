// One box for everything: what has the words in its name. Few of each kind, so that it answers while people type.
import type { ApplicationRow, SearchHit } from '@fairlead/contracts';
import { type Kysely, sql } from 'kysely';
import { isDeployed, likePattern } from './application-filter.ts';
import { listApplications, type Seen } from './applications.ts';
import type { Database } from './schema.ts';
import { isVisible, type Sight } from './visibility.ts';

const hitsPerKind = 10;

interface SearchQuery extends Seen {
  readonly sight: Sight;
  readonly text: string;
}

export async function searchEverything(
  db: Kysely<Database>,
  { accountId, visibility, sight, text }: SearchQuery,
): Promise<SearchHit[]> {
  const pattern = likePattern(text.trim().toLowerCase());
  const [applications, runtimes, projects, clusters] = await Promise.all([
    listApplications(db, { accountId, visibility, search: text, sort: 'attention', limit: hitsPerKind }),
    db
      .selectFrom('runtimes')
      .select('name')
      .where('account_id', '=', accountId)
      .where('name', 'like', pattern)
      .where(isVisible(sight.runtime, 'runtime'))
      .orderBy('name')
      .limit(hitsPerKind)
      .execute(),
    grouped(db, { accountId, visibility, column: 'project', pattern }),
    grouped(db, { accountId, visibility, column: 'cluster', pattern }),
  ]);
  return [
    ...runtimes.map(({ name }) => ({ kind: 'runtime', name }) as const),
    ...projects.map((hit) => ({ kind: 'project', ...hit }) as const),
    ...clusters.map((hit) => ({ kind: 'cluster', ...hit }) as const),
    ...(JSON.parse(applications.itemsJson) as ApplicationRow[]).map(
      ({ id, health, sync }) => ({ kind: 'application', id, health: health.status, sync: sync.status }) as const,
    ),
  ];
}

interface Grouped extends Seen {
  readonly column: 'project' | 'cluster';
  readonly pattern: string;
}

function grouped(db: Kysely<Database>, { accountId, visibility, column, pattern }: Grouped) {
  return db
    .selectFrom('applications')
    .innerJoin('runtimes', 'runtimes.id', 'applications.runtime_id')
    .select(`applications.${column} as name`)
    .select(sql<number>`count(*)::int`.as('applications'))
    .where('applications.account_id', '=', accountId)
    .where(isDeployed)
    .where(isVisible(visibility))
    .where(sql<boolean>`lower(${sql.ref(`applications.${column}`)}) like ${pattern}`)
    .groupBy(`applications.${column}`)
    .orderBy(sql`count(*)`, 'desc')
    .orderBy(`applications.${column}`)
    .limit(hitsPerKind)
    .execute();
}

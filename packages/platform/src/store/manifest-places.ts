// Where manifests of applications lie and Git Sources look, each place once.
import { type Kysely, sql } from 'kysely';
import { isDeployed } from './application-filter.ts';
import type { Database } from './schema.ts';
import { gitSourcePlace } from './visibility.ts';

interface PlacesQuery {
  readonly accountId: string;
  readonly limit: number;
}

export async function manifestPlaces(db: Kysely<Database>, { accountId, limit }: PlacesQuery): Promise<string[]> {
  const found = await db
    .selectFrom('applications')
    .select('manifests')
    .distinct()
    .where('account_id', '=', accountId)
    .where(isDeployed)
    .where('manifests', '<>', '')
    .union(
      db
        .selectFrom('reported_objects')
        .select(gitSourcePlace.as('manifests'))
        .where('account_id', '=', accountId)
        .where(sql<boolean>`reported_objects.kind = 'git-source' and not reported_objects.deleted`),
    )
    .orderBy('manifests')
    .limit(limit)
    .execute();
  return found.map(({ manifests }) => manifests);
}

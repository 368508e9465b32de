// Where manifests of applications lie, each place once.
import type { Kysely } from 'kysely';
import { isDeployed } from './application-filter.ts';
import type { Database } from './schema.ts';

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
    .orderBy('manifests')
    .limit(limit)
    .execute();
  return found.map(({ manifests }) => manifests);
}

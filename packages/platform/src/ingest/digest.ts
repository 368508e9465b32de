// After a gap a reporter says what it believes; the answer is what it must send. Keys that it did not name are told to
// it as well: it knows which of them are its own.
import type { DigestAnswer, ReportDigest } from '@fairlead/contracts';
import type { RuntimeRecord, Store } from '../store/index.ts';

export async function compareDigest(
  { db }: Store,
  { runtime, digest }: { runtime: RuntimeRecord; digest: ReportDigest },
): Promise<DigestAnswer> {
  const stored = await db
    .selectFrom('reported_objects')
    // Equal to `hash`, or null for an object from before versions were kept: that one is asked for again.
    .select(['key', 'version_hash as hash'])
    .where('runtime_id', '=', runtime.id)
    .where('kind', '=', digest.kind)
    .where('deleted', '=', false)
    .execute();
  const known = new Map(stored.map(({ key, hash }) => [key, hash]));
  const named = new Map(Object.entries(digest.objects));
  return {
    send: [...named].filter(([key, hash]) => known.get(key) !== hash).map(([key]) => key),
    unknown: [...known.keys()].filter((key) => !named.has(key)),
  };
}

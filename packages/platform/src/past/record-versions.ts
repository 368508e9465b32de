// Every state that was reported of an application stays as a version: a small row that names its parts by content
// hash, so that what does not change between two versions is stored once.
import { sha256Hex } from '@fairlead/base';
import type { ApplicationReport } from '@fairlead/contracts';
import { sql } from 'kysely';
import { insertRows, type RuntimeRecord, type Transaction } from '../store/index.ts';

export interface NewVersion {
  readonly key: string;
  readonly uid: string;
  readonly epoch: number;
  readonly sequence: number;
  readonly at: Date;
  /** Undefined: it was deleted. */
  readonly report: ApplicationReport | undefined;
}

export interface VersionParts {
  readonly head: string;
  readonly tree: string;
  readonly resources: string;
}

/** JSON texts; `joinParts` is the way back. */
export function splitReport({ tree, resources, ...head }: ApplicationReport): VersionParts {
  return { head: JSON.stringify(head), tree: JSON.stringify(tree), resources: JSON.stringify(resources) };
}

export function joinParts({ head, tree, resources }: VersionParts): ApplicationReport {
  return { ...JSON.parse(head), tree: JSON.parse(tree), resources: JSON.parse(resources) };
}

/**
 * From when on a version counts: when it was observed, but neither in the future nor before the version that it
 * follows, however wrong the clock of the runtime is.
 */
export function versionMoment(observedAt: string, { now, previous }: { now: Date; previous: string | null }): Date {
  const observed = Date.parse(observedAt);
  const earliest = previous === null ? 0 : Date.parse(previous);
  const atMs = Number.isNaN(observed) ? now.getTime() : Math.min(observed, now.getTime());
  return new Date(Math.max(atMs, earliest));
}

/** The contents that the versions need go into `contents`, by hash. */
export async function recordVersions(
  trx: Transaction,
  versions: readonly NewVersion[],
  { runtime, contents }: { runtime: RuntimeRecord; contents: Map<string, string> },
): Promise<void> {
  if (versions.length === 0) return;
  const keep = (text: string) => {
    const hash = sha256Hex(text);
    contents.set(hash, text);
    return hash;
  };
  const rows = versions.map(({ key, uid, epoch, sequence, at, report }) => {
    const parts = report && splitReport(report);
    return {
      account_id: runtime.accountId,
      runtime_id: runtime.id,
      key,
      at,
      epoch,
      sequence,
      uid,
      health: report?.health.status ?? null,
      sync: report?.sync.status ?? null,
      revision: report?.sync.revision ?? null,
      phase: report?.operation?.phase ?? null,
      head: parts ? keep(parts.head) : null,
      tree: parts ? keep(parts.tree) : null,
      resources: parts ? keep(parts.resources) : null,
    };
  });
  await insertRows(trx, {
    table: 'application_versions',
    types: versionTypes,
    rows,
    onConflict: sql`on conflict do nothing`,
  });
}

const versionTypes = {
  account_id: 'text',
  runtime_id: 'text',
  key: 'text',
  at: 'timestamptz',
  epoch: 'bigint',
  sequence: 'bigint',
  uid: 'text',
  health: 'text',
  sync: 'text',
  revision: 'text',
  phase: 'text',
  head: 'text',
  tree: 'text',
  resources: 'text',
} as const;

const dayMs = 24 * 3_600_000;
/** `named_at` is renewed once a day at most: most reports name what the one before named. */
export const namedAtSlackMs = dayMs;

/**
 * Stores what is new and renews what is named, in the order of hashes: two batches cannot deadlock. What is there and
 * fresh is not touched: `on conflict` would lock it until the commit, and every batch of an account has the empty tree.
 */
export async function keepContents(trx: Transaction, { accountId, contents, named, now }: KeptContents): Promise<void> {
  const stale = new Date(now.getTime() - namedAtSlackMs);
  if (contents.size > 0) {
    const hashes = [...contents.keys()].sort();
    const bodies = hashes.map((hash) => contents.get(hash));
    await sql`insert into contents (account_id, hash, body, created_at, named_at)
      select ${accountId}, hash, body, ${now}, ${now}
      from unnest(${hashes}::text[], ${bodies}::text[]) as given(hash, body)
      where not exists (select from contents known
        where known.account_id = ${accountId} and known.hash = given.hash and known.named_at >= ${stale})
      on conflict (account_id, hash) do update set named_at = excluded.named_at
        where contents.named_at < ${stale}`.execute(trx);
  }
  const others = [...named].filter((hash) => !contents.has(hash)).sort();
  if (others.length === 0) return;
  await sql`update contents set named_at = ${now} where account_id = ${accountId} and hash in (
    select hash from contents where account_id = ${accountId} and hash = any(${others}) and named_at < ${stale}
    order by hash for update)`.execute(trx);
}

interface KeptContents {
  readonly accountId: string;
  readonly contents: ReadonlyMap<string, string>;
  readonly named: ReadonlySet<string>;
  readonly now: Date;
}

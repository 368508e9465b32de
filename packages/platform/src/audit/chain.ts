// The audit log as a chain: each entry carries the hash of the one before, so that whoever has an entry (or only its
// hash) can tell whether anything before it was changed, left out or added. Pure: it can be verified without a server.
// What a chain cannot show is a missing end; compare the last hash with one that was written down elsewhere.
import { canonicalJson, sha256Hex } from '@fairlead/base';
import { type AuditEntry, checker, AuditEntry as entrySchema } from '@fairlead/contracts';

/** `previous` of an account's first entry. */
export const chainStart = '0'.repeat(64);

export const hashEntry = ({ hash: _, ...entry }: Omit<AuditEntry, 'hash'> & { readonly hash?: string }): string =>
  sha256Hex(canonicalJson(entry));

export type AuditVerdict =
  | {
      readonly intact: true;
      readonly entries: number;
      readonly first: number;
      readonly last: number;
      readonly lastHash: string;
      /** The export begins with the account's first entry. */
      readonly fromStart: boolean;
    }
  | { readonly intact: false; readonly line: number; readonly reason: string };

const checkEntry = checker(entrySchema);

/** `text` is an export: one entry as JSON on each line, oldest first. */
export function verifyAuditExport(text: string): AuditVerdict {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  let before: AuditEntry | undefined;
  let first: AuditEntry | undefined;
  for (const [index, line] of lines.entries()) {
    const broken = (reason: string): AuditVerdict => ({ intact: false, line: index + 1, reason });
    const entry = readEntry(line);
    if (!entry) return broken('is not an audit entry');
    if (hashEntry(entry) !== entry.hash) return broken(`entry ${entry.number} was changed: its hash does not fit`);
    if (before && entry.number !== before.number + 1) {
      return broken(`entry ${before.number} is followed by ${entry.number}: entries are missing or out of order`);
    }
    if (before && entry.previous !== before.hash) return broken(`entry ${entry.number} does not follow the one before`);
    if (entry.number === 1 && entry.previous !== chainStart) return broken('the first entry does not begin a chain');
    first ??= entry;
    before = entry;
  }
  if (!first || !before) return { intact: false, line: 0, reason: 'there are no entries' };
  const { number: last, hash: lastHash } = before;
  return {
    intact: true,
    entries: lines.length,
    first: first.number,
    last,
    lastHash,
    fromStart: first.number === 1,
  };
}

function readEntry(line: string): AuditEntry | undefined {
  try {
    const checked = checkEntry(JSON.parse(line));
    return checked.ok ? checked.value : undefined;
  } catch {
    return undefined; // not JSON at all
  }
}

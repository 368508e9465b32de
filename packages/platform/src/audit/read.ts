// Reading the log: pages newest first, exports oldest first.
import type { AuditEntry, AuditPage } from '@fairlead/contracts';
import type { Kysely } from 'kysely';
import { type Database, decodePlace, encodePlace } from '../store/index.ts';

export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly entity?: string | undefined;
  readonly entityKind?: string | undefined;
  readonly requestId?: string | undefined;
  readonly outcome?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface AuditQuery extends AuditFilter {
  readonly accountId: string;
}

export async function listAudit(
  db: Kysely<Database>,
  { limit, after, ...query }: AuditQuery & { readonly limit: number; readonly after?: string | undefined },
): Promise<AuditPage> {
  let select = selected(db, query)
    .orderBy('number', 'desc')
    .limit(limit + 1);
  if (after !== undefined) select = select.where('number', '<', decodePlace(after, ['number'])[0]);
  const rows = await select.execute();
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { items: rows.slice(0, limit).map(toEntry), ...(last ? { next: encodePlace([last.number]) } : {}) };
}

const maxExported = 50_000;

export async function exportAudit(
  db: Kysely<Database>,
  { format, ...query }: AuditQuery & { readonly format: 'json' | 'csv' },
): Promise<string> {
  const rows = await selected(db, query).orderBy('number').limit(maxExported).execute();
  const entries = rows.map(toEntry);
  if (format === 'json') return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  return [csvHead, ...entries.map(csvLine)].map((line) => `${line}\r\n`).join('');
}

function selected(db: Kysely<Database>, query: AuditQuery) {
  const { accountId, actor, action, entity, entityKind, requestId, outcome, from, to } = query;
  let select = db.selectFrom('audit').selectAll().where('account_id', '=', accountId);
  if (actor) select = select.where('actor_name', '=', actor);
  if (action) {
    select = action.endsWith('.')
      ? select.where((eb) => eb(eb.fn<string>('left', ['action', eb.val(action.length)]), '=', action))
      : select.where('action', '=', action);
  }
  if (entity) select = select.where('entity', '=', entity);
  if (entityKind) select = select.where('entity_kind', '=', entityKind);
  if (requestId) select = select.where('request_id', '=', requestId);
  if (outcome) select = select.where('outcome', '=', outcome as AuditEntry['outcome']); // another one selects nothing
  if (from) select = select.where('at', '>=', from);
  if (to) select = select.where('at', '<=', to);
  return select;
}

interface StoredEntry {
  readonly number: number;
  readonly at: string;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly action: string;
  readonly entity_kind: string;
  readonly entity: string;
  readonly outcome: AuditEntry['outcome'];
  readonly request_id: string;
  readonly details: string;
  readonly previous: string;
  readonly hash: string;
}

const toEntry = (row: StoredEntry): AuditEntry => ({
  number: row.number,
  at: row.at,
  actor: { id: row.actor_id, name: row.actor_name },
  action: row.action,
  entity: { kind: row.entity_kind, name: row.entity },
  outcome: row.outcome,
  requestId: row.request_id,
  details: JSON.parse(row.details),
  previous: row.previous,
  hash: row.hash,
});

const csvHead = 'number,at,actor,action,entity_kind,entity,outcome,request_id,details,hash';

function csvLine({ number, at, actor, action, entity, outcome, requestId, details, hash }: AuditEntry): string {
  const cells = [number, at, actor.name, action, entity.kind, entity.name, outcome, requestId, JSON.stringify(details)];
  return [...cells, hash].map(csvCell).join(',');
}

/** RFC 4180; a cell that a spreadsheet would take for a formula gets an apostrophe before it. */
function csvCell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

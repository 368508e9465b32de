// Appends to the chain of an account, in the transaction that makes the change: there is neither a change without its
// entry nor an entry without its change.
import type { AuditEntry } from '@fairlead/contracts';
import type { Caller, Transaction } from '../store/index.ts';
import { chainStart, hashEntry } from './chain.ts';

export interface AuditNote {
  readonly action: string;
  readonly entity: AuditEntry['entity'];
  readonly outcome?: AuditEntry['outcome'];
  /** Never a secret: what is written here stays. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface AuditContext {
  readonly caller: Pick<Caller, 'account'> & { readonly user: { readonly id: string; readonly name: string } };
  readonly requestId: string;
  readonly now: Date;
}

/** Locks the chain until the commit: it belongs late in a transaction. */
export async function appendAudit(trx: Transaction, context: AuditContext, note: AuditNote): Promise<void> {
  const { caller, requestId, now } = context;
  const accountId = caller.account.id;
  await trx
    .insertInto('audit_heads')
    .values({ account_id: accountId, number: 0, hash: chainStart })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const head = await trx
    .selectFrom('audit_heads')
    .select(['number', 'hash'])
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const entry: Omit<AuditEntry, 'hash'> = {
    number: head.number + 1,
    at: now.toISOString(),
    actor: { id: caller.user.id, name: caller.user.name },
    action: note.action,
    entity: note.entity,
    outcome: note.outcome ?? 'done',
    requestId,
    // Once through JSON, so that what is hashed is what can be read back.
    details: JSON.parse(JSON.stringify(note.details ?? {}).replaceAll('\\u0000', '\\ufffd')),
    previous: head.hash,
  };
  const hash = hashEntry(entry);
  await trx
    .insertInto('audit')
    .values({
      account_id: accountId,
      number: entry.number,
      at: entry.at,
      actor_id: entry.actor.id,
      actor_name: entry.actor.name,
      action: entry.action,
      entity_kind: entry.entity.kind,
      entity: entry.entity.name,
      outcome: entry.outcome,
      request_id: requestId,
      details: JSON.stringify(entry.details),
      previous: entry.previous,
      hash,
    })
    .execute();
  await trx
    .updateTable('audit_heads')
    .set({ number: entry.number, hash })
    .where('account_id', '=', accountId)
    .execute();
}

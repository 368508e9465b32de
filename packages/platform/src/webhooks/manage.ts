// Webhooks as administrators manage them.
import { newId, randomToken } from '@fairlead/base';
import { notificationKinds, type WebhookInput, type WebhookRow } from '@fairlead/contracts';
import { type Kysely, sql } from 'kysely';
import type { SealedTexts } from '../auth/index.ts';
import { type AddressGuard, RuntimeAccessError } from '../runtime-access/index.ts';
import type { Database, Transaction } from '../store/index.ts';
import { WebhookError } from './errors.ts';

/** Per account. */
const maxWebhooks = 20;

interface WebhookId {
  readonly accountId: string;
  readonly id: string;
}

export async function listWebhooks(db: Kysely<Database>, accountId: string): Promise<WebhookRow[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select(['id', 'name', 'url', 'kinds', 'created_at as createdAt', 'dropped'])
    .select(['delivered_at as deliveredAt', 'failed_at as failedAt', 'problem'])
    .select(sql<number>`(select count(*)::int from webhook_deliveries where webhook_id = webhooks.id)`.as('waiting'))
    .where('account_id', '=', accountId)
    .orderBy('name')
    .execute();
  return rows.map(({ deliveredAt, failedAt, problem, ...row }) => ({
    ...row,
    ...(deliveredAt === null ? {} : { deliveredAt }),
    ...(failedAt === null ? {} : { failedAt }),
    ...(problem === null ? {} : { problem }),
  }));
}

interface Adding {
  readonly accountId: string;
  readonly input: WebhookInput;
  readonly now: Date;
}

export async function addWebhook(
  trx: Transaction,
  { accountId, input, now }: Adding,
  { sealed, guard }: { readonly sealed: SealedTexts; readonly guard: AddressGuard },
): Promise<{ webhook: WebhookRow; secret: string }> {
  const { href } = readWebhookUrl(guard, input.url);
  const known = await listWebhooks(trx, accountId);
  if (known.length >= maxWebhooks) {
    throw new WebhookError('conflict', `an account has ${maxWebhooks} webhooks at most`);
  }
  const id = newId('webhook');
  const { secret = randomToken() } = input;
  const row = {
    id,
    account_id: accountId,
    name: input.name,
    url: href,
    kinds: JSON.stringify([...new Set(input.kinds ?? notificationKinds)]),
    secret: sealed.seal(secret, id),
    created_at: now,
  };
  const added = await trx
    .insertInto('webhooks')
    .values(row)
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) throw new WebhookError('conflict', `there is a webhook named ${input.name} already`);
  const webhook = (await listWebhooks(trx, accountId)).find((each) => each.id === id);
  if (!webhook) throw missing(id);
  return { webhook, secret };
}

export async function removeWebhook(trx: Transaction, { accountId, id }: WebhookId): Promise<{ name: string }> {
  const removed = await trx
    .deleteFrom('webhooks')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  if (!removed) throw missing(id);
  return removed;
}

/** Plain http only inside networks that the operator has named, by address. */
export function readWebhookUrl(guard: AddressGuard, text: string): URL {
  try {
    const isPlain = URL.canParse(text) && guard.isNamed(new URL(text));
    return guard.readUrl(text, isPlain ? 'mesh' : 'ingress');
  } catch (error) {
    if (!(error instanceof RuntimeAccessError)) throw error;
    const message =
      'url: must be a public https:// address without user name, password and query, and not the platform itself; the operator may name other networks in runtimeNetworks';
    throw new WebhookError('invalid', message);
  }
}

export const missing = (id: string) => new WebhookError('not_found', `there is no webhook ${id}`);

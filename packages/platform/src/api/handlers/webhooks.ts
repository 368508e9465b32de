import { appendAudit } from '../../audit/index.ts';
import { addWebhook, listWebhooks, removeWebhook } from '../../webhooks/index.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

type Names = 'listWebhooks' | 'createWebhook' | 'testWebhook' | 'deleteWebhook';

export function webhookHandlers({ store, guard, sealed, webhooks }: HandlerDeps): HandlersOf<Names> {
  const entity = (name: string) => ({ kind: 'webhook', name });
  return {
    listWebhooks: async ({ caller }) => ({ items: await listWebhooks(store.db, caller.account.id) }),
    createWebhook: ({ caller, requestId, body }) =>
      store.transaction(async (trx) => {
        const now = new Date(store.clock.now());
        const added = await addWebhook(trx, { accountId: caller.account.id, input: body, now }, { sealed, guard });
        const { name, url, kinds } = added.webhook;
        const note = { action: 'webhook.create', entity: entity(name), details: { url, kinds } };
        await appendAudit(trx, { caller, requestId, now }, note);
        return added;
      }),
    testWebhook: ({ caller, params, signal }) =>
      webhooks.test({ accountId: caller.account.id, id: params.webhook }, { signal }),
    deleteWebhook: ({ caller, requestId, params }) =>
      store.transaction(async (trx) => {
        const { name } = await removeWebhook(trx, { accountId: caller.account.id, id: params.webhook });
        const context = { caller, requestId, now: new Date(store.clock.now()) };
        await appendAudit(trx, context, { action: 'webhook.delete', entity: entity(name) });
        return null;
      }),
  };
}

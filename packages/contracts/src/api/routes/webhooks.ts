// Webhooks: notifications for other systems.
import { Type } from 'typebox';
import { route } from '../route.ts';
import { WebhookInput, WebhookRow } from '../webhooks.ts';
import { text } from './fields.ts';

const params = Type.Object({ webhook: text });

export const webhookRoutes = {
  listWebhooks: route({
    method: 'GET',
    path: '/api/v1/webhooks',
    summary: 'Webhooks of the account and how they do.',
    auth: 'user',
    needs: 'admin',
    response: Type.Object({ items: Type.Array(WebhookRow) }),
  }),
  createWebhook: route({
    method: 'POST',
    path: '/api/v1/webhooks',
    summary: 'Sends notifications to a URL from now on, signed with a secret that is shown this once.',
    auth: 'user',
    needs: 'admin',
    status: 201,
    body: WebhookInput,
    response: Type.Object({ webhook: WebhookRow, secret: text }),
  }),
  testWebhook: route({
    method: 'POST',
    path: '/api/v1/webhooks/{webhook}/test',
    summary: 'Sends a message now, once, and tells what came of it.',
    auth: 'user',
    needs: 'admin',
    params,
    response: Type.Object({ delivered: Type.Boolean(), message: text }),
  }),
  deleteWebhook: route({
    method: 'DELETE',
    path: '/api/v1/webhooks/{webhook}',
    summary: 'Sends nothing there any more, also not what still waits.',
    auth: 'user',
    needs: 'admin',
    status: 204,
    params,
    response: Type.Null(),
  }),
} as const;

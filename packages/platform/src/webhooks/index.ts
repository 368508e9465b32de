export { WebhookDelivery } from './deliver.ts';
export { addWebhook, listWebhooks, removeWebhook } from './manage.ts';

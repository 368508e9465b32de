export { affectsRevision, type PushEvent } from './push-event.ts';
export { WebhookPayloadError } from './push-payloads.ts';
export { readWebhook, WebhookSignatureError } from './read-webhook.ts';

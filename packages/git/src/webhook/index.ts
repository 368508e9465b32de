export { affectsRevision, type PushEvent, parseGitHubPush, WebhookPayloadError } from './push-event.ts';

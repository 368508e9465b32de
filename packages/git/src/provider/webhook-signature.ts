import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookDelivery } from './git-provider.ts';

/** `X-Hub-Signature-256: sha256=<hex>`, of GitHub and of the built-in server; compared in constant time. */
export function verifyHubSignature({ headers, body }: WebhookDelivery, secret: string): boolean {
  const given = headers['x-hub-signature-256'];
  if (typeof given !== 'string' || secret === '') return false;
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const actual = Buffer.from(given);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

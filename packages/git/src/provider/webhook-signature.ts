// How providers prove that a webhook is theirs. Every comparison takes the same time whatever is given.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookDelivery } from './git-provider.ts';

/** `X-Hub-Signature-256: sha256=<hex>`, of GitHub and of the built-in server. */
export const verifyHubSignature = (delivery: WebhookDelivery, secret: string): boolean =>
  isGiven(delivery, { header: 'x-hub-signature-256', expected: `sha256=${hmac(delivery, secret)}` }, secret);

/** `X-Hub-Signature: sha256=<hex>`, of Bitbucket Cloud. */
export const verifyBitbucketSignature = (delivery: WebhookDelivery, secret: string): boolean =>
  isGiven(delivery, { header: 'x-hub-signature', expected: `sha256=${hmac(delivery, secret)}` }, secret);

/** `<header>: <hex>`, of Gitea and Forgejo. */
export const verifyHexSignature = (delivery: WebhookDelivery, header: string, secret: string): boolean =>
  isGiven(delivery, { header, expected: hmac(delivery, secret) }, secret);

/** The secret itself, of GitLab: who can read one delivery can make others. */
export const verifyPlainToken = (delivery: WebhookDelivery, header: string, secret: string): boolean =>
  isGiven(delivery, { header, expected: secret }, secret);

const hmac = ({ body }: WebhookDelivery, secret: string) => createHmac('sha256', secret).update(body).digest('hex');

function isGiven(
  { headers }: WebhookDelivery,
  { header, expected }: { header: string; expected: string },
  secret: string,
): boolean {
  const given = headers[header];
  if (typeof given !== 'string' || secret === '') return false;
  // Both are hashed first, so that their lengths tell nothing.
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

// A webhook of whichever provider: told apart by its headers, proved by its secret where there is one, read into pushes.
import { TerminalError } from '@fairlead/base';
import {
  verifyBitbucketSignature,
  verifyHexSignature,
  verifyHubSignature,
  verifyPlainToken,
  type WebhookDelivery,
} from '../provider/index.ts';
import type { PushEvent } from './push-event.ts';
import {
  parseBitbucketPush,
  parseGerritEvent,
  parseGitLabPush,
  parseHubPush,
  WebhookPayloadError,
} from './push-payloads.ts';

/** Not signed, or with another secret. */
export class WebhookSignatureError extends TerminalError {
  constructor(reason = 'webhook signature is missing or wrong') {
    super('webhook_signature', reason);
  }
}

interface Sender {
  /** It says which event it is. */
  readonly header: string;
  readonly pushes: readonly string[];
  /** Events of pull (merge) requests. */
  readonly reviews: RegExp;
  readonly verify: (delivery: WebhookDelivery, secret: string) => boolean;
  readonly parse: (payload: unknown) => PushEvent[];
}

/** Gitea and Forgejo send GitHub's headers as well, so they are asked for first. */
const senders: readonly Sender[] = [
  {
    header: 'x-gitea-event',
    pushes: ['push'],
    reviews: /^pull_request/,
    verify: (delivery, secret) => verifyHexSignature(delivery, 'x-gitea-signature', secret),
    parse: parseHubPush,
  },
  {
    header: 'x-github-event',
    pushes: ['push'],
    reviews: /^pull_request/,
    verify: verifyHubSignature,
    parse: parseHubPush,
  },
  {
    header: 'x-gitlab-event',
    pushes: ['Push Hook', 'Tag Push Hook'],
    reviews: /^Merge Request Hook$/,
    verify: (delivery, secret) => verifyPlainToken(delivery, 'x-gitlab-token', secret),
    parse: parseGitLabPush,
  },
  {
    header: 'x-event-key',
    pushes: ['repo:push'],
    reviews: /^pullrequest:/,
    verify: verifyBitbucketSignature,
    parse: parseBitbucketPush,
  },
];

export interface ReceivedWebhook {
  /** As the provider calls it: `push`, `ping`, `Push Hook`, `repo:push`, `ref-updated`. */
  readonly event: string;
  /** Empty: an event that moves nothing. */
  readonly pushes: readonly PushEvent[];
  /** Something happened to a pull request. */
  readonly isReview: boolean;
}

export function readWebhook(delivery: WebhookDelivery, secret: string | undefined): ReceivedWebhook {
  const sender = senders.find(({ header }) => typeof delivery.headers[header] === 'string');
  if (!sender) return readGerrit(delivery, secret);
  const event = String(delivery.headers[sender.header]);
  if (secret && !sender.verify(delivery, secret)) throw new WebhookSignatureError();
  const pushes = sender.pushes.includes(event) ? sender.parse(parseJson(delivery)) : [];
  return { event, pushes, isReview: sender.reviews.test(event) };
}

/** Gerrit's plugin sends no header of its own, and no signature. */
function readGerrit(delivery: WebhookDelivery, secret: string | undefined): ReceivedWebhook {
  const payload = parseJson(delivery);
  const type = (payload as { type?: unknown } | null)?.type; // only compared and shown
  if (typeof type !== 'string')
    throw new WebhookPayloadError('is of no known provider: GitHub, GitLab, Gitea, Forgejo, Bitbucket Cloud, Gerrit');
  if (secret)
    throw new WebhookSignatureError('webhook has no signature (Gerrit signs none), and a secret is configured here');
  return { event: type, pushes: parseGerritEvent(payload), isReview: /^(patchset|change)-/.test(type) };
}

function parseJson({ body }: WebhookDelivery): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw new WebhookPayloadError('is not JSON'); // what the parser says of it helps nobody
  }
}

// Webhooks of an account: notifications, sent to a URL and signed. The secret is written and never read.
import { type Static, Type } from 'typebox';
import { plainName } from './names.ts';
import { NotificationKind } from './notifications.ts';

const text = Type.String();
const moment = Type.Optional(text);

export const WebhookInput = Type.Object(
  {
    name: plainName,
    /** Public, https, without user name and query. */
    url: Type.String({ minLength: 1, maxLength: 2048 }),
    /** Without it: all. */
    kinds: Type.Optional(Type.Array(NotificationKind, { minItems: 1, maxItems: 20 })),
    /** What the signature is made with; without it one is made and shown once. */
    secret: Type.Optional(Type.String({ minLength: 16, maxLength: 200, writeOnly: true })),
  },
  { additionalProperties: false },
);
export type WebhookInput = Static<typeof WebhookInput>;

export const WebhookRow = Type.Object({
  id: text,
  name: text,
  url: text,
  kinds: Type.Array(NotificationKind),
  createdAt: text,
  /** Sent and not taken yet; 1,000 at most. */
  waiting: Type.Integer(),
  /** Never sent, since too many waited. */
  dropped: Type.Integer(),
  deliveredAt: moment,
  failedAt: moment,
  /** Why the last attempt failed, while that is newer than the last success. */
  problem: Type.Optional(text),
});
export type WebhookRow = Static<typeof WebhookRow>;

// What people are told without asking: in the list behind the bell, and at webhooks of the account.
import { type Static, Type } from 'typebox';
import { ApplicationId } from './entities.ts';

const text = Type.String();

export const notificationKinds = [
  'application-degraded',
  'application-recovered',
  'sync-failed',
  'runtime-offline',
  'runtime-online',
  'key-expires',
  'git-token-expires',
  'rule-broken',
] as const;
export const NotificationKind = Type.Enum(notificationKinds);
export type NotificationKind = (typeof notificationKinds)[number];

export const Notification = Type.Object({
  id: text,
  kind: NotificationKind,
  /** `bad`: somebody should look; `good`: what was bad is over. */
  tone: Type.Union([Type.Literal('bad'), Type.Literal('good')]),
  /** One line for people. */
  title: text,
  /** The reason, where one is known. */
  message: Type.Optional(text),
  application: Type.Optional(ApplicationId),
  runtime: Type.Optional(text),
  at: text,
  /** By the caller. */
  read: Type.Boolean(),
});
export type Notification = Static<typeof Notification>;

export const NotificationPage = Type.Object({
  /** Newest first. */
  items: Type.Array(Notification),
  /** Of all that the caller may see, whatever the page shows. */
  unread: Type.Integer(),
  next: Type.Optional(text),
});
export type NotificationPage = Static<typeof NotificationPage>;

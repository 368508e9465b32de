// The list behind the bell.
import { Type } from 'typebox';
import { NotificationPage } from '../notifications.ts';
import { route } from '../route.ts';
import { page } from './fields.ts';

export const notificationRoutes = {
  listNotifications: route({
    method: 'GET',
    path: '/api/v1/notifications',
    summary: 'What the caller should know of, newest first, with the number of unread ones.',
    auth: 'user',
    needs: 'member',
    query: Type.Object({ ...page, unread: Type.Optional(Type.Boolean()) }),
    response: NotificationPage,
  }),
  readNotifications: route({
    method: 'POST',
    path: '/api/v1/notifications/read',
    summary: 'Marks notifications as read by the caller: those named, or all up to one.',
    auth: 'user',
    needs: 'member',
    body: Type.Object(
      {
        ids: Type.Optional(Type.Array(Type.String({ pattern: '^[0-9]{1,15}$' }), { maxItems: 500 })),
        /** This one and all older ones. */
        upTo: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })),
      },
      { additionalProperties: false },
    ),
    response: Type.Object({ unread: Type.Integer() }),
  }),
} as const;

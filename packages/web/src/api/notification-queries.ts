// What people are told without asking. The live feed says when there is something new; the slow interval is the net below.
import type { ApiClient } from '@fairlead/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { keys } from './keys.ts';

export interface NotificationsSearch {
  readonly only?: 'unread';
}

export const readNotificationsSearch = (query: Readonly<Record<string, unknown>>): NotificationsSearch =>
  query['only'] === 'unread' ? { only: 'unread' } : {};

const pageSize = 50;
const lookAgainMs = 60_000;

export const unreadQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: [...keys.notifications, 'unread'],
    queryFn: async ({ signal }) => (await api.call('listNotifications', { query: { limit: 1 } }, { signal })).unread,
    refetchInterval: lookAgainMs,
  });

export const notificationsQuery = (api: ApiClient, { only }: NotificationsSearch) =>
  infiniteQueryOptions({
    queryKey: [...keys.notifications, 'list', only ?? 'all'],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: pageSize, ...(only && { unread: true }), ...(pageParam && { after: pageParam }) };
      return api.call('listNotifications', { query }, { signal });
    },
    getNextPageParam: (page) => page.next,
  });

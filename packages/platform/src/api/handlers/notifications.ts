import { countUnread, listNotifications, markRead } from '../../notifications/index.ts';
import type { Caller } from '../../store/index.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

const defaultLimit = 50;

export function notificationHandlers({
  store,
  access,
}: HandlerDeps): HandlersOf<'listNotifications' | 'readNotifications'> {
  const readerOf = async (caller: Caller) => ({ caller, sight: await access.sight(caller) });
  return {
    listNotifications: async ({ caller, query }) =>
      listNotifications(store.db, await readerOf(caller), { limit: defaultLimit, ...query }),
    async readNotifications({ caller, body }) {
      const reader = await readerOf(caller);
      await markRead(store.db, reader, body);
      return { unread: await countUnread(store.db, reader) };
    },
  };
}

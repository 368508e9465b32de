import type { Notification } from '@fairlead/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { keys, notificationsQuery } from '../../api/index.ts';
import { useApi, useChange, useNow } from '../../services/index.ts';
import { Button, CheckField, classNames, Empty, Failure, PageHead, Skeleton } from '../../ui/index.ts';
import { ageOf, counted, longAgo, momentWords, visibleText } from '../../words/index.ts';

/** What happened that somebody should know of, newest first. */
export function NotificationsPage() {
  const search = useSearch({ from: '/frame/notifications' });
  const navigate = useNavigate();
  const api = useApi();
  const list = useInfiniteQuery(notificationsQuery(api, search));
  const read = useChange(
    (body: { readonly ids?: string[]; readonly upTo?: string }) => api.call('readNotifications', { body }),
    [keys.notifications],
  );
  const items = list.data?.pages.flatMap((page) => page.items);
  const unread = list.data?.pages[0]?.unread;
  const newest = items?.[0];
  return (
    <div className="flex flex-col gap-4 p-4 md:px-6 md:py-5">
      <title>Notifications · Fairlead</title>
      <PageHead
        title="Notifications"
        answer={
          unread === undefined ? (
            ''
          ) : (
            <b>{unread === 0 ? 'You have read everything.' : `${counted(unread, 'notification')} not read yet.`}</b>
          )
        }
        actions={
          newest && unread ? (
            <Button isPending={read.isPending} onPress={() => read.mutate({ upTo: newest.id })}>
              Mark all as read
            </Button>
          ) : null
        }
      />
      <CheckField
        label="Only unread"
        isSelected={search.only === 'unread'}
        onChange={(isOn) =>
          void navigate({ to: '/notifications', search: isOn ? { only: 'unread' } : {}, replace: true })
        }
      />
      {read.error ? <Failure what="the change" error={read.error} /> : null}
      {list.error ? <Failure what="the notifications" error={list.error} onRetry={() => void list.refetch()} /> : null}
      {items ? (
        items.length === 0 ? (
          <div className="rounded-lg border border-line bg-surface">
            <Empty title={search.only ? 'Nothing unread' : 'Nothing to tell yet'}>
              <p>
                Applications that degrade or recover, failed synchronizations and runtimes that go silent show here.
              </p>
            </Empty>
          </div>
        ) : (
          <ul aria-label="Notifications, the newest first" className="rounded-lg border border-line bg-surface">
            {items.map((item) => (
              <NotificationLine key={item.id} item={item} onRead={() => read.mutate({ ids: [item.id] })} />
            ))}
          </ul>
        )
      ) : list.error ? null : (
        <Skeleton className="h-64 rounded-lg" />
      )}
      {list.hasNextPage ? (
        <Button className="self-center" isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
          Older notifications
        </Button>
      ) : null}
    </div>
  );
}

function NotificationLine({ item, onRead }: { readonly item: Notification; readonly onRead: () => void }) {
  const age = ageOf(item.at, useNow(10_000));
  const Icon = item.tone === 'bad' ? TriangleAlert : CircleCheck;
  return (
    <li
      className={classNames(
        'flex gap-x-3 gap-y-1 border-t max-sm:flex-wrap border-line px-3 py-2.5 text-sm first:border-t-0',
        item.read && 'bg-bg',
      )}
    >
      <Icon
        size={16}
        aria-hidden
        className={classNames('mt-0.5 shrink-0', item.tone === 'bad' ? 'text-degraded' : 'text-healthy')}
      />
      <div className="min-w-0 flex-1 max-sm:basis-[calc(100%-28px)]">
        <p className={classNames('[overflow-wrap:anywhere]', !item.read && 'font-semibold')}>
          {item.read ? null : <span className="sr-only">Unread: </span>}
          <NotificationLink item={item} onFollow={item.read ? undefined : onRead} />
        </p>
        {item.message ? <p className="break-words text-muted">{visibleText(item.message)}</p> : null}
        <p className="text-xs text-muted" title={momentWords(item.at)}>
          {age === undefined ? momentWords(item.at) : longAgo(age)}
        </p>
      </div>
      {item.read ? null : (
        <Button
          kind="quiet"
          className="h-7! px-2! text-xs! max-sm:ml-5"
          onPress={onRead}
          aria-label={`Mark as read: ${item.title}`}
        >
          Mark as read
        </Button>
      )}
    </li>
  );
}

interface NotificationLinkProps {
  readonly item: Notification;
  readonly onFollow: (() => void) | undefined;
}

/** To what it is about; following it is reading it. */
function NotificationLink({ item: { title, application, runtime }, onFollow }: NotificationLinkProps) {
  const words = visibleText(title);
  const props = { className: 'hover:text-accent hover:underline', ...(onFollow ? { onClick: onFollow } : {}) };
  if (application) {
    return (
      <Link to="/applications/$runtime/$namespace/$name" params={application} {...props}>
        {words}
      </Link>
    );
  }
  if (runtime) {
    return (
      <Link to="/runtimes/$runtime" params={{ runtime }} {...props}>
        {words}
      </Link>
    );
  }
  return words;
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell as BellIcon } from 'lucide-react';
import { unreadQuery } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { counted } from '../../words/index.ts';

/** How many notifications were not read yet, and the way to them. */
export function Bell() {
  const { data: unread = 0 } = useQuery(unreadQuery(useApi()));
  const words = unread === 0 ? 'Notifications' : `Notifications, ${counted(unread, 'unread', 'unread')}`;
  return (
    <Link
      to="/notifications"
      aria-label={words}
      title={words}
      className="relative inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-surface-2 hover:text-text"
    >
      <BellIcon size={16} aria-hidden />
      {unread > 0 ? (
        <span
          aria-hidden
          className="absolute top-0.5 right-0 min-w-4 rounded-full bg-accent px-1 text-center text-2xs leading-4 font-semibold text-on-accent"
        >
          {unread > 99 ? '99+' : unread}
        </span>
      ) : null}
    </Link>
  );
}

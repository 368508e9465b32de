import { useQuery } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { meQuery } from '../../api/index.ts';
import { useApi, useFeed } from '../../services/index.ts';
import { Button, DropDown, DropDownItem } from '../../ui/index.ts';

/** "Dana Reyes" → "DR", "admin" → "AD". */
export function initials(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean);
  const [first = '?', last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return (last ? `${first[0]}${last[0]}` : first.slice(0, 2)).toUpperCase();
}

export function UserMenu() {
  const api = useApi();
  const { data: me } = useQuery(meQuery(api));
  const signOut = useSignOut();
  const name = me?.user.name ?? '';
  return (
    <DropDown
      label="User"
      header={
        <div className="px-2.5 py-1.5">
          <p className="font-semibold">{name}</p>
          {me?.user.email ? <p className="text-muted">{me.user.email}</p> : null}
        </div>
      }
      trigger={
        <Button kind="quiet" square aria-label={name ? `User ${name}` : 'User'}>
          <span className="grid size-6 place-items-center rounded-full bg-surface-2 text-[10px] font-semibold text-muted">
            {name ? initials(name) : ''}
          </span>
        </Button>
      }
    >
      <DropDownItem id="sign-out" onAction={() => void signOut()}>
        <LogOut size={14} aria-hidden /> Sign out
      </DropDownItem>
    </DropDown>
  );
}

/** Leaves by loading the page anew, so that nothing of this user stays in memory. */
function useSignOut(): () => Promise<void> {
  const api = useApi();
  const feed = useFeed();
  return async () => {
    await api.call('signOut', {});
    feed.pause();
    location.assign('/sign-in');
  };
}

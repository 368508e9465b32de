import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { meQuery } from '../../api/index.ts';
import { useApi } from '../../services/index.ts';
import { Button } from '../../ui/index.ts';
import { UserMenu } from '../session/index.ts';
import { Bell } from './bell.tsx';
import { LiveIndicator } from './live-indicator.tsx';
import { ThemeMenu } from './theme-menu.tsx';

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);

export function TopBar({ onSearch }: { readonly onSearch: () => void }) {
  const { data: me } = useQuery(meQuery(useApi()));
  return (
    <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line bg-surface px-3 md:px-5">
      <span className="max-w-40 min-w-0 truncate text-muted max-sm:hidden" title="Account">
        {me?.account.name}
      </span>
      <Button
        onPress={onSearch}
        aria-label="Search or jump to"
        className="min-w-0 flex-1 justify-start! bg-bg! font-normal! text-faint! md:max-w-[420px]"
      >
        <Search size={14} aria-hidden />
        <span className="truncate">Search or jump to…</span>
        <span aria-hidden className="ml-auto flex gap-1 max-md:hidden">
          <kbd>{isMac() ? '⌘' : 'Ctrl'}</kbd>
          <kbd>K</kbd>
        </span>
      </Button>
      <div className="ml-auto flex items-center gap-1.5">
        <LiveIndicator />
        <Bell />
        <ThemeMenu />
        <UserMenu />
      </div>
    </header>
  );
}

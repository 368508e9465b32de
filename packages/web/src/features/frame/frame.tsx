// The frame of every page for signed-in people: rail, top bar, command bar, shortcuts. It owns the live feed's
// lifetime: the line is open while the frame is on screen.
import { Outlet, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useKeys } from '../../keyboard/index.ts';
import { pauseWhileHidden } from '../../live/index.ts';
import { useClock, useFeed } from '../../services/index.ts';
import { LostBanner } from './live-indicator.tsx';
import { Rail } from './rail.tsx';
import { ShortcutSheet } from './shortcut-sheet.tsx';
import { TopBar } from './top-bar.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { useRailWidth } from './use-rail-width.ts';

const CommandBar = lazy(async () => ({ default: (await import('../command-bar/index.ts')).CommandBar }));

/** The id of the element that scrolls; long lists measure against it. */
export const pageScrollId = 'page-scroll';
export const pageSearchId = 'page-search';

export function Frame() {
  const [overlay, setOverlay] = useState<'none' | 'command-bar' | 'shortcuts'>('none');
  const rail = useRailWidth();
  const page = useRef<HTMLElement>(null);
  const close = () => setOverlay('none');
  useLiveFeed();
  useKeptFocus(page);
  useFrameKeys({ onCommandBar: () => setOverlay('command-bar'), onShortcuts: () => setOverlay('shortcuts') });
  return (
    <div className="flex h-full max-md:flex-col">
      <a
        href={`#${pageScrollId}`}
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-2"
      >
        To the content
      </a>
      <Rail isNarrow={rail.isNarrow} onToggle={rail.toggle} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <TopBar onSearch={() => setOverlay('command-bar')} />
        <LostBanner />
        <main ref={page} id={pageScrollId} tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
          <Outlet />
        </main>
      </div>
      {overlay === 'command-bar' ? (
        <Suspense>
          <CommandBar onClose={close} onShortcuts={() => setOverlay('shortcuts')} />
        </Suspense>
      ) : null}
      {overlay === 'shortcuts' ? <ShortcutSheet onClose={close} /> : null}
    </div>
  );
}

function useLiveFeed(): void {
  const feed = useFeed();
  const clock = useClock();
  useEffect(() => {
    feed.start();
    const stop = pauseWhileHidden(feed, clock);
    return () => {
      stop();
      feed.pause();
    };
  }, [feed, clock]);
}

interface FrameKeys {
  readonly onCommandBar: () => void;
  readonly onShortcuts: () => void;
}

function useFrameKeys({ onCommandBar, onShortcuts }: FrameKeys): void {
  const navigate = useNavigate();
  useKeys({
    'mod+k': onCommandBar,
    '?': onShortcuts,
    '/': () => {
      const search = document.getElementById(pageSearchId);
      if (search) search.focus();
      else onCommandBar();
    },
    'g h': () => void navigate({ to: '/' }),
    'g a': () => void navigate({ to: '/applications' }),
    'g r': () => void navigate({ to: '/runtimes' }),
    'g p': () => void navigate({ to: '/plan' }),
    'g u': () => void navigate({ to: '/audit' }),
    'g s': () => void navigate({ to: '/settings/$section', params: { section: 'account' } }),
  });
}

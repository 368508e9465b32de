import type { LiveFeed } from './feed.ts';
import type { PageClock } from './page-clock.ts';

/** A page nobody looks at gives its line back after this long. */
const pauseAfterMs = 5 * 60_000;

/** Pauses the feed of a page that stays hidden, and opens it again, at once, when the page is looked at. */
export function pauseWhileHidden(feed: LiveFeed, clock: PageClock): () => void {
  let cancel = () => {};
  const look = () => {
    cancel();
    const { phase } = feed.state();
    if (document.hidden) cancel = clock.after(pauseAfterMs, () => feed.pause());
    else if (phase === 'paused' || phase === 'lost' || feed.isSilent()) feed.start();
  };
  document.addEventListener('visibilitychange', look);
  addEventListener('online', look);
  return () => {
    cancel();
    document.removeEventListener('visibilitychange', look);
    removeEventListener('online', look);
  };
}

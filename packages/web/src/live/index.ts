export { CachePatcher } from './cache-patcher.ts';
export { type FeedDeps, type FeedPhase, type FeedSource, type FeedState, LiveFeed } from './feed.ts';
export type { PageClock } from './page-clock.ts';
export { idKey } from './patches.ts';
export { pauseWhileHidden } from './visibility.ts';

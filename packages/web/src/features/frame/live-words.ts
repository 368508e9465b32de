import type { FeedState } from '../../live/index.ts';
import { shortAgo } from '../../words/index.ts';

export interface LiveWords {
  readonly tone: 'live' | 'waiting' | 'lost';
  readonly words: string;
}

/** What the indicator says; "live" only while the line really speaks. */
export function liveWords({ phase, lastHeardMs }: FeedState, nowMs: number): LiveWords {
  if (phase === 'live') return { tone: 'live', words: 'live' };
  const heard = lastHeardMs === undefined ? '' : `, last heard ${shortAgo(Math.max(0, nowMs - lastHeardMs))}`;
  if (phase === 'lost') return { tone: 'lost', words: `reconnecting${heard}` };
  return { tone: 'waiting', words: phase === 'paused' ? `paused${heard}` : 'connecting' };
}

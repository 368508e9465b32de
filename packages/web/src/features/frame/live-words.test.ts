import { expect, it } from 'vitest';
import { liveWords } from './live-words.ts';

it('says live only while the line speaks, and else since when it does not', () => {
  expect(liveWords({ phase: 'live', lastHeardMs: 0 }, 14_000).words).toBe('live');
  expect(liveWords({ phase: 'lost', lastHeardMs: 0 }, 14_000)).toEqual({
    tone: 'lost',
    words: 'reconnecting, last heard 14 s ago',
  });
  expect(liveWords({ phase: 'lost', lastHeardMs: undefined }, 0).words).toBe('reconnecting');
  expect(liveWords({ phase: 'connecting', lastHeardMs: undefined }, 0).words).toBe('connecting');
});

import type { FeedSource } from '../live/index.ts';

/** An EventSource as the feed wants it; it carries the session cookie, since it is of the same origin. */
export function openSource(path: string): FeedSource {
  const source = new EventSource(path);
  const feedSource: FeedSource = {
    get readyState() {
      return source.readyState;
    },
    onopen: null,
    onmessage: null,
    onerror: null,
    close: () => source.close(),
  };
  source.onopen = () => feedSource.onopen?.();
  source.onmessage = ({ data }: MessageEvent<string>) => feedSource.onmessage?.({ data });
  source.onerror = () => feedSource.onerror?.();
  return feedSource;
}

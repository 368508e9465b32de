import { useFeed, useFeedState, useNow } from '../../services/index.ts';
import { Button, classNames } from '../../ui/index.ts';
import { longAge } from '../../words/index.ts';
import { type LiveWords, liveWords } from './live-words.ts';

const dot: Record<LiveWords['tone'], string> = {
  live: 'bg-healthy',
  waiting: 'bg-unknown breathe',
  lost: 'bg-missing breathe',
};

export function LiveIndicator() {
  const { tone, words } = liveWords(useFeedState(), useNow(1000));
  return (
    <span className="flex items-center gap-1.5 text-xs whitespace-nowrap text-muted">
      <span aria-hidden className={classNames('size-[7px] rounded-full', dot[tone])} />
      <span className="sr-only">Live updates: </span>
      <span className="max-sm:sr-only">{words}</span>
    </span>
  );
}

/** A short interruption is nobody's business. */
const patienceMs = 4000;

export function LostBanner() {
  const feed = useFeed();
  const { phase, lastHeardMs } = useFeedState();
  const now = useNow(1000);
  const awayMs = now - (lastHeardMs ?? now);
  if (phase !== 'lost' || (lastHeardMs !== undefined && awayMs < patienceMs)) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-missing-weak px-4 py-1 text-sm md:px-6"
    >
      <span className="min-w-0 flex-1">
        <b className="font-semibold">The connection is lost; trying again.</b>{' '}
        {lastHeardMs === undefined ? 'No live updates until it is back.' : `What you see is ${longAge(awayMs)} old.`}
      </span>
      <Button className="h-6!" onPress={() => feed.start()}>
        Try now
      </Button>
    </div>
  );
}

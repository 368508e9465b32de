// What the page is built on, made once by `app/` and given down by context: API client, live feed, time.
import type { ApiClient } from '@fairlead/contracts';
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { FeedState, LiveFeed, PageClock } from '../live/index.ts';

export interface Services {
  readonly api: ApiClient;
  readonly feed: LiveFeed;
  readonly clock: PageClock;
}

const ServicesContext = createContext<Services | undefined>(undefined);

export function ServicesProvider({
  services,
  children,
}: {
  readonly services: Services;
  readonly children: ReactNode;
}) {
  return <ServicesContext.Provider value={services}>{children}</ServicesContext.Provider>;
}

function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('a component that needs services is rendered outside ServicesProvider');
  return services;
}

export const useApi = (): ApiClient => useServices().api;
export const useClock = (): PageClock => useServices().clock;
export const useFeed = (): LiveFeed => useServices().feed;

export function useFeedState(): FeedState {
  const feed = useFeed();
  return useSyncExternalStore(feed.subscribe, feed.state);
}

/** The time in ms, renewed every `stepMs`: for ages on the screen. */
export function useNow(stepMs: number): number {
  const clock = useClock();
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    let cancel = () => {};
    const tick = () => {
      setNow(clock.now());
      cancel = clock.after(stepMs, tick);
    };
    tick();
    return () => cancel();
  }, [clock, stepMs]);
  return now;
}

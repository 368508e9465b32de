// The composition root: everything the page stands on is made and wired here, once.
import { ApiError, createApiClient, livePath } from '@fairlead/contracts';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { keys } from '../api/index.ts';
import { rememberWantedPage } from '../features/session/index.ts';
import { CachePatcher, LiveFeed } from '../live/index.ts';
import { createAppRouter } from '../routes/index.ts';
import { BrowserClock } from './browser-clock.ts';
import { withEarlyRequests } from './early-requests.ts';
import { openSource } from './open-source.ts';

const maxRetries = 2;
const firstRetryMs = 400;
const lastRetryMs = 5000;
const firstLookMs = 1000;

export function composeApp() {
  const clock = new BrowserClock();
  const send = withEarlyRequests(
    (url, init) => fetch(url, init),
    window.fairleadEarly ?? [],
    () => performance.now(),
  );
  const api = createApiClient({ baseUrl: '', fetch: (input, init) => send(String(input), init) });

  const onError = (error: unknown) => {
    const { pathname, href } = router.state.location;
    if (!(error instanceof ApiError) || error.status !== 401 || pathname === '/sign-in') return;
    rememberWantedPage(href, clock.now());
    queryClient.removeQueries({ queryKey: keys.me }); // or the sign-in page would take us for signed in, and lead back
    void router.navigate({ to: '/sign-in', search: { next: href }, replace: true });
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // The browser only knows of its network cards: a platform on this machine or in this building answers without.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 10_000,
        // What the server has decided stays decided; only silence and its own failures are worth another try.
        retryDelay: (failures) => Math.min(firstRetryMs * 2 ** failures, lastRetryMs),
        retry: (failures, error) => failures < maxRetries && !(error instanceof ApiError && error.status < 500),
      },
    },
  });

  const router = createAppRouter({ api, queryClient, now: clock.now });
  const patcher = new CachePatcher(queryClient, clock);
  let isOpened = false;
  const feed = new LiveFeed({
    clock,
    random: () => Math.random(),
    open: () => openSource(livePath),
    onMessage: (message) => {
      if (message.type === 'ping') clock.setServerTime(message.at);
      else patcher.receive(message);
    },
    onGap: () => {
      // What the page shows first was asked for moments ago: it need not be asked again while it is being drawn.
      if (isOpened) return patcher.reloadAll();
      isOpened = true;
      clock.after(firstLookMs, () => patcher.reloadAll());
    },
    // An EventSource hides the status of a refusal; the question who we are answers it.
    onRefused: () => void queryClient.invalidateQueries({ queryKey: keys.me }),
  });
  return { queryClient, router, services: { api, feed, clock } };
}

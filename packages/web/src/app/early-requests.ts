// Requests that boot/start.js began while the code of the application was still being read. Each is taken up once, by the
// first who asks the same; what is not taken up soon is old and counts no more.
export interface EarlyRequest {
  readonly url: string;
  /** By `performance.now()`, ms. */
  readonly startedAt: number;
  readonly answer: Promise<Response>;
}

declare global {
  interface Window {
    fairleadEarly?: EarlyRequest[];
  }
}

const freshMs = 5000;

type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

/** A fetch that takes up what is on its way already. `early` is emptied. */
export function withEarlyRequests(send: Fetch, early: EarlyRequest[], nowMs: () => number): Fetch {
  return (url, init) => {
    const at = (init?.method ?? 'GET') === 'GET' ? early.findIndex((request) => request.url === url) : -1;
    const [request] = at === -1 ? [] : early.splice(at, 1);
    if (!request || nowMs() - request.startedAt > freshMs) return send(url, init);
    return untilAborted(request.answer, init?.signal ?? undefined);
  };
}

/** The request itself goes on: it was not ours to begin, so it is not ours to end. */
function untilAborted(answer: Promise<Response>, signal: AbortSignal | undefined): Promise<Response> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

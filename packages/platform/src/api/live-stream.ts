// One open live feed: Server-Sent Events on the raw response, so that each message leaves at once and what the client
// has not read is known exactly.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { everyInterval, sleep } from '@fairlead/base';
import { livePingSeconds } from '@fairlead/contracts';
import type { LiveHub } from '../live/index.ts';
import { type Caller, isStoreUnavailable, type Store } from '../store/index.ts';

interface LiveDeps {
  readonly store: Store;
  readonly hub: LiveHub;
}

interface LiveRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly caller: Caller;
  /** Rejects when the caller may no longer listen. */
  readonly authenticate: () => Promise<unknown>;
}

/** Unread bytes at which a subscriber is cut; it resumes by its last number. */
const maxUnreadBytes = 4 * 1024 * 1024;

/** Resolves when the feed has ended. */
export async function serveLive({ store, hub }: LiveDeps, live: LiveRequest): Promise<void> {
  const { request, response, caller } = live;
  const ended = new AbortController();
  response.once('close', () => ended.abort());
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const sink = {
    send: (event: string) => {
      response.write(event);
      return response.writableLength < maxUnreadBytes;
    },
    close: () => response.end(),
  };
  const leave = await hub.subscribe({ caller, lastSeen: lastSeenOf(request) }, sink);
  const { signal } = ended;
  await sleep(livePingSeconds * 1000, { signal, clock: store.clock }).catch(() => undefined); // the loop sees the end
  const beat = async () => {
    if (await mayStillListen(live.authenticate)) sink.send(pingEvent(store.clock.now()));
    else sink.close();
  };
  await everyInterval(livePingSeconds * 1000, beat, { signal, clock: store.clock });
  leave();
}

const pingEvent = (nowMs: number) => `data: ${JSON.stringify({ type: 'ping', at: new Date(nowMs).toISOString() })}\n\n`;

/** A database that is away for a moment takes nobody's right. */
async function mayStillListen(authenticate: () => Promise<unknown>): Promise<boolean> {
  try {
    await authenticate();
    return true;
  } catch (error) {
    return isStoreUnavailable(error);
  }
}

/** The header of a browser that reconnects, or `?lastEventId=` for clients that cannot set it. */
function lastSeenOf(request: IncomingMessage): number | undefined {
  const header = request.headers['last-event-id'];
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams.get('lastEventId');
  const text = (typeof header === 'string' ? header : undefined) ?? query ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

// A streamed answer: each value one event, read from the source only as fast as the reader takes them. A failure after the
// head is told as an event named `error`. Quiet streams send a comment now and then, so that no proxy cuts them.
import { Readable } from 'node:stream';
import { type Clock, systemClock } from '@fairlead/base';
import { keepAliveEvent, writeEvent } from '@fairlead/contracts';
import { engineFailure, failureOf } from './errors.ts';

interface StreamOptions {
  readonly requestId: string;
  /** Aborts when the reader has left. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

const keepAliveEveryMs = 15_000;

export function streamEvents(events: AsyncIterable<unknown>, options: StreamOptions): Response {
  const body = Readable.from(written(events, options), { objectMode: false });
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
  return new Response(Readable.toWeb(body) as ReadableStream, { headers }); // one type, declared by Node and by the web
}

async function* written(
  events: AsyncIterable<unknown>,
  { requestId, signal, clock = systemClock }: StreamOptions,
): AsyncGenerator<string> {
  const iterator = events[Symbol.asyncIterator]();
  try {
    yield keepAliveEvent; // the head leaves at once
    let next = following(iterator);
    while (!signal.aborted) {
      const quiet = quietFor(keepAliveEveryMs, clock);
      const result = await Promise.race([next, quiet.elapsed]);
      quiet.cancel();
      if (result === undefined) {
        yield keepAliveEvent;
        continue;
      }
      if (result.done) return;
      next = following(iterator);
      yield writeEvent(result.value);
    }
  } catch (error) {
    if (signal.aborted) return;
    yield writeEvent(failureOf(engineFailure(error), requestId).body, 'error');
  } finally {
    await iterator.return?.();
  }
}

/** A failure that nobody waits for any more, because the reader has left, ends nothing. */
function following(iterator: AsyncIterator<unknown>): Promise<IteratorResult<unknown>> {
  const next = iterator.next();
  next.catch(() => undefined);
  return next;
}

function quietFor(ms: number, clock: Clock): { elapsed: Promise<undefined>; cancel: () => void } {
  let cancel: (() => void) | undefined;
  const elapsed = new Promise<undefined>((resolve) => {
    cancel = clock.after(ms, () => resolve(undefined));
  });
  return { elapsed, cancel: () => cancel?.() };
}

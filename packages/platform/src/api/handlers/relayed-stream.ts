import type { Readable } from 'node:stream';
import { type Clock, everyInterval, sleep } from '@fairlead/base';
import { type Caller, isStoreUnavailable } from '../../store/index.ts';

export interface RelayInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: object | undefined;
  readonly body: unknown;
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly gone: AbortSignal;
  readonly recheck: () => Promise<void>;
}

const recheckEveryMs = 15_000;

/** The body, which is cut when its reader leaves and when the caller may no longer read it. */
export function streamWhileAllowed(
  body: Readable,
  { gone, recheck, clock }: Pick<RelayInput, 'gone' | 'recheck'> & { readonly clock: Clock },
): Readable {
  const ended = new AbortController();
  body.once('close', () => ended.abort());
  body.on('error', () => undefined); // the reader sees it; without a listener it would end the process
  gone.addEventListener('abort', () => body.destroy(), { once: true, signal: ended.signal });
  if (gone.aborted) body.destroy();
  const { signal } = ended;
  const look = async () => {
    try {
      await recheck();
    } catch (error) {
      if (!isStoreUnavailable(error)) body.destroy(); // a database that is away for a moment takes nobody's right
    }
  };
  void sleep(recheckEveryMs, { signal, clock })
    .then(() => everyInterval(recheckEveryMs, look, { signal, clock }))
    .catch(() => undefined); // the stream has ended
  return body;
}

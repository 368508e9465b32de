// Streams and cuts by the thousand, and what a process holds after them. For `leaks.test.ts` and, at full size, `leaks.prove.ts`.
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { atEnd, dial, eventually, startOrigin, startPlatform, startRelay } from './testing.ts';

interface Held {
  /** Sockets, servers, timers and HTTP/2 sessions of the process. */
  readonly resources: number;
  readonly descriptors: number;
  readonly heapBytes: number;
}

interface Size {
  readonly cuts: number;
  readonly streamsPerCut: number;
  /** Cuts before the first look: caches and compiled code are no leak. */
  readonly warmUpCuts: number;
}

interface Outcome {
  readonly before: Held;
  /** Once everything that ends has ended. */
  readonly after: () => Held;
  readonly streams: number;
  /** Open tunnels and streams at the end. */
  readonly open: () => { readonly tunnels: number; readonly streams: number };
}

/** One stream in ten is given up half-way; each cut is one of the line, which both ends have to notice. */
export async function streamAndCut({ cuts, streamsPerCut, warmUpCuts }: Size): Promise<Outcome> {
  const platform = await startPlatform({ onSession: () => undefined });
  atEnd(() => platform.stop());
  const origin = await startOrigin(createServer((_, response) => void response.end('x'.repeat(2_000))));
  atEnd(() => origin.stop());
  const relay = await startRelay(platform.port);
  atEnd(() => relay.stop());
  dial({ url: relay.url, origin: origin.url, onState: () => undefined });
  const next = (than?: object) =>
    eventually('a session', () => {
      const current = platform.tunnels.session('runtime-1');
      return current !== undefined && current !== than && current;
    });
  let streams = 0;
  let current = await next();
  const use = () =>
    Promise.all(
      Array.from({ length: streamsPerCut }, async (_, n) => {
        const { body } = await current.request({ method: 'GET', path: '/', signal: new AbortController().signal });
        streams++;
        if (n % 10 === 0) body.destroy();
        else for await (const _chunk of body);
      }),
    );
  const cutAndUse = async () => {
    relay.cut();
    current = await next(current);
    await use();
  };
  await use();
  for (let cut = 0; cut < warmUpCuts; cut++) await cutAndUse();
  await eventually('the streams are over', () => current.active === 0);
  const before = held();
  for (let cut = 0; cut < cuts; cut++) await cutAndUse();
  return { before, after: held, streams, open: () => ({ tunnels: platform.tunnels.size, streams: current.active }) };
}

const counted = /^(?:TCPSocketWrap|TCPServerWrap|Timeout|HTTP2.*)$/i;

function held(): Held {
  collectGarbage();
  return {
    resources: process.getActiveResourcesInfo().filter((kind) => counted.test(kind)).length,
    descriptors: descriptors(),
    heapBytes: process.memoryUsage().heapUsed,
  };
}

/** Where a system does not tell them, there is nothing to compare. */
function descriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void; // the flag makes it
  collect();
  collect();
}

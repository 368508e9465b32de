// What was used goes back: after many streams, some of them given up half-way, and many cuts, a process has as many sockets
// and timers as before the first.
import { afterEach, describe, expect, it } from 'vitest';
import { eventually, pair, stopAll } from './testing.ts';

afterEach(stopAll);

const cuts = 10;
const streamsPerCut = 70;

const held = (): number =>
  process.getActiveResourcesInfo().filter((kind) => /^(?:TCPSocketWrap|TCPServerWrap|Timeout|HTTP2.*)$/i.test(kind))
    .length;

describe('a tunnel', () => {
  it('leaves no socket, stream or timer behind, however often it is cut', async () => {
    const { platform, relay } = await pair((_, response) => void response.end('x'.repeat(2_000)), { relayed: true });
    const session = (than?: object) =>
      eventually('a session', () => {
        const current = platform.tunnels.session('runtime-1');
        return current !== undefined && current !== than && current;
      });
    const use = async (current: Awaited<ReturnType<typeof session>>) => {
      await Promise.all(
        Array.from({ length: streamsPerCut }, async (_, n) => {
          const { signal } = new AbortController();
          const { body } = await current.request({ method: 'GET', path: '/', signal });
          if (n % 10 === 0) body.destroy();
          else for await (const _chunk of body);
        }),
      );
    };
    let current = await session();
    await use(current);
    const before = held();
    for (let cut = 0; cut < cuts; cut++) {
      relay?.cut();
      current = await session(current);
      await use(current);
    }
    await eventually('as little is held as before', () => current.active === 0 && held() <= before);
    expect(platform.tunnels.size).toBe(1);
  });
});

// P-TUN-1 and P-TUN-2 with the real times: 200 lines that go half-open, each found by both ends within 20 s, and open again after
// the path has healed: p50 within 2 s, p99 within 30 s.
import { createServer } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { atEnd, dial, eventually, startOrigin, startPlatform, startRelay, stopAll } from './testing.ts';

afterEach(stopAll);

const trials = 200;
const quantile = (times: readonly number[], share: number) =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
const seconds = (ms: number) => Math.round(ms / 10) / 100;

it(`${trials} half-open lines are found by both ends within 20 s, and open again when the path heals`, async () => {
  const platform = await startPlatform();
  atEnd(() => platform.stop());
  const origin = await startOrigin(createServer((_, response) => void response.end('ok')));
  atEnd(() => origin.stop());
  const relay = await startRelay(platform.port);
  atEnd(() => relay.stop());
  const ids = Array.from({ length: trials }, (_, n) => `runtime-${n}`);
  const foundByRuntime = new Map<string, number>();
  const openAgain = new Map<string, number>();
  let isHealed = false;
  for (const runtimeId of ids) {
    dial({
      ...{ url: relay.url, origin: origin.url, runtimeId, backoff: { baseMs: 500, maxMs: 30_000 } },
      onState: (state) => {
        if (state === 'waiting' && !foundByRuntime.has(runtimeId)) foundByRuntime.set(runtimeId, performance.now());
        if (state === 'connected' && isHealed) openAgain.set(runtimeId, performance.now());
      },
    });
  }
  await eventually('all are connected', () => platform.tunnels.size === trials, 120_000);
  const sessions = [...platform.opened];
  foundByRuntime.clear();

  const deadAt = performance.now();
  const foundByPlatform = Promise.all(
    sessions.map(async (session) => {
      await session.gone;
      return performance.now() - deadAt;
    }),
  );
  relay.swallow();
  const byPlatform = await foundByPlatform;
  await eventually('all runtimes know', () => foundByRuntime.size === trials, 60_000);
  const byRuntime = [...foundByRuntime.values()].map((at) => at - deadAt);

  const healedAt = performance.now();
  isHealed = true;
  relay.mend();
  await eventually('all are open again', () => openAgain.size === trials, 120_000);
  const again = [...openAgain.values()].map((at) => at - healedAt);
  const told = {
    foundByPlatformMax: seconds(Math.max(...byPlatform)),
    foundByRuntimeMax: seconds(Math.max(...byRuntime)),
    openAgainP50: seconds(quantile(again, 0.5)),
    openAgainP99: seconds(quantile(again, 0.99)),
  };
  console.info(JSON.stringify({ trials, ...told }));
  expect(Math.max(...byPlatform, ...byRuntime)).toBeLessThanOrEqual(20_000);
  expect(quantile(again, 0.5)).toBeLessThanOrEqual(2_000);
  expect(quantile(again, 0.99)).toBeLessThanOrEqual(30_000);
});

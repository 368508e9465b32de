import { expect, it } from 'vitest';
import { type EarlyRequest, withEarlyRequests } from './early-requests.ts';

const url = '/api/v1/applications?limit=60';
function set(nowMs = 100) {
  const sent: string[] = [];
  const early: EarlyRequest[] = [{ url, startedAt: 0, answer: Promise.resolve(new Response('early')) }];
  const ask = withEarlyRequests(
    async (asked) => {
      sent.push(asked);
      return new Response('late');
    },
    early,
    () => nowMs,
  );
  return { sent, ask };
}

it('takes up once what was asked before the application was there', async () => {
  const { sent, ask } = set();
  expect(await (await ask(url, { method: 'GET' })).text()).toBe('early');
  expect(await (await ask(url, { method: 'GET' })).text()).toBe('late');
  expect(sent).toEqual([url]);
});

it('asks anew for anything else, for changes, and when the early answer is old', async () => {
  const { ask } = set();
  expect(await (await ask('/api/v1/me')).text()).toBe('late');
  expect(await (await ask(url, { method: 'POST' })).text()).toBe('late');
  expect(await (await set(6000).ask(url)).text()).toBe('late');
});

it('lets go when the one who asked has left', async () => {
  const { ask } = set();
  await expect(ask(url, { signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow('left');
});

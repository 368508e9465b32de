import { once } from 'node:events';
import { FairleadError, FakeClock, silentLogger } from '@fairlead/base';
import { type AssertionClaims, appProxyRoutes } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { ProxyError } from './errors.ts';
import { judgeWhileOpen } from './judge-while-open.ts';

const claims = {
  sub: 'u',
  name: 'ada',
  account: 'a',
  role: 'user',
  teams: [],
  act: '',
  on: '',
  requestId: 'r',
} as const;
const user: AssertionClaims = { ...claims, teams: [] };
const act = { route: appProxyRoutes.streamLogs, params: {}, user, runtime: 'eu' };

/** Verdicts in order; resolves to how many were asked for once the stream has ended. */
function open(verdicts: readonly (Error | undefined)[]) {
  const clock = new FakeClock();
  const gone = new AbortController();
  let asked = 0;
  const judge = {
    judge: async () => {
      const verdict = verdicts[asked++];
      if (verdict) throw verdict;
    },
  };
  const ended = judgeWhileOpen({ judge, clock, log: silentLogger }, act, gone);
  return { clock, gone, ended, asked: () => asked };
}

describe('an open stream', () => {
  it('is cut when its reader is refused, and not for rules that cannot be read', async () => {
    const away = new FairleadError('unavailable', 'the repository is away');
    const { clock, gone, ended, asked } = open([undefined, away, new ProxyError('forbidden', 'no')]);
    const cut = once(gone.signal, 'abort');
    for (let judged = 1; judged <= 3; judged++) {
      clock.advance(30_000);
      await expect.poll(asked).toBe(judged);
      await new Promise(setImmediate); // until it sleeps again
    }
    await cut;
    await ended;
  });

  it('is judged no more when its reader has left', async () => {
    const { clock, gone, ended, asked } = open([]);
    gone.abort();
    await ended;
    clock.advance(60_000);
    expect(asked()).toBe(0);
  });
});

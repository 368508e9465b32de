import { createRegistry, FakeClock } from '@fairlead/base';
import { describe, expect, it } from 'vitest';
import { platformForTests } from '../platform-for-tests.ts';
import { adminKey, registerTestRuntime } from '../testing.ts';
import { Admission } from './admission.ts';

describe('somebody who asks too often', () => {
  const platform = platformForTests({ requestsPerMinute: 60, reportsPerMinute: 8 });

  it('is told when to come back, is counted, and keeps nobody else from asking', async () => {
    const runtime = await registerTestRuntime(platform, 'busy');
    await platform.api.call('inviteUser', { body: { name: 'robot', kind: 'service' } });
    const { key } = await platform.api.call('createApiKey', { body: { name: 'k', user: 'robot' } });
    const ask = (token: string) =>
      fetch(`${platform.url}/api/v1/applications`, { headers: { authorization: `Bearer ${token}` } });
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(key)));
    const late = answers.filter(({ status }) => status === 429);
    expect(late.length).toBeGreaterThanOrEqual(10);
    expect(Number(late[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await late[0]?.json()).toMatchObject({ code: 'too_many_requests', requestId: expect.any(String) });
    expect((await ask(adminKey)).status).toBe(200);
    const report = () => runtime.api.call('reportEvents', { body: { reporter: 'x', objects: [], contents: {} } });
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, report));
    const refused = outcomes.filter((each) => each.status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(3);
    expect(refused[0]?.reason).toMatchObject({ status: 429 });
    const metrics = await (await fetch(`${platform.url}/metrics`)).text();
    expect(metrics).toMatch(/fairlead_rate_limited_total\{caller="user",reason="rate",role="platform"\} \d+/);
    expect(metrics).toMatch(/fairlead_rate_limited_total\{caller="runtime",reason="rate",role="platform"\} \d+/);
  });

  it('is counted by who it is: a user and a runtime have a bucket each', () => {
    const admission = new Admission(
      { requestsPerMinute: 4, reportsPerMinute: 4, databaseConnections: 8 },
      { clock: new FakeClock(), registry: createRegistry('test') },
    );
    admission.take({ kind: 'user', id: 'one' });
    expect(() => admission.take({ kind: 'user', id: 'one' })).toThrow(/too many/);
    admission.take({ kind: 'runtime', id: 'one' });
  });
});

describe('batches of reports', () => {
  it('wait at the runtime while too many are under way, per runtime and in all', async () => {
    const admission = new Admission(
      { requestsPerMinute: 60, reportsPerMinute: 60, databaseConnections: 8 },
      { clock: new FakeClock(), registry: createRegistry('test') },
    );
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const underWay = Array.from({ length: 32 }, () => admission.takeIn('a', () => finished));
    await expect(admission.takeIn('a', () => finished)).rejects.toMatchObject({ code: 'too_many_requests' });
    await admission.takeIn('b', () => Promise.resolve());
    finish();
    await Promise.all(underWay);
    await admission.takeIn('a', () => Promise.resolve());
  });

  it('leave half of the connections to people, and half of the rest to other runtimes', async () => {
    const admission = new Admission(
      { requestsPerMinute: 60, reportsPerMinute: 60, databaseConnections: 8 },
      { clock: new FakeClock(), registry: createRegistry('test') },
    );
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const batch = (runtime: string) =>
      admission.takeIn(runtime, () => {
        begun.push(runtime);
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    const all = ['a', 'a', 'a', 'b', 'b', 'c'].map(batch);
    expect(begun).toEqual(['a', 'a', 'b', 'b']);
    for (let n = 0; n < all.length; n++) {
      ends[n]?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(all);
    expect(begun).toEqual(['a', 'a', 'b', 'b', 'a', 'c']);
  });

  it('are worked on in turn whatever becomes of the one before', async () => {
    const admission = new Admission(
      { requestsPerMinute: 60, reportsPerMinute: 60, databaseConnections: 2 },
      { clock: new FakeClock(), registry: createRegistry('test') },
    );
    const outcomes = await Promise.allSettled(
      Array.from({ length: 9 }, (_, n) =>
        admission.takeIn('a', () => (n % 2 === 0 ? Promise.reject(new Error('no')) : Promise.resolve(n))),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  });
});

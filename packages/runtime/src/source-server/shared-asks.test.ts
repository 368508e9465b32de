import { describe, expect, it } from 'vitest';
import { SharedAsks } from './shared-asks.ts';

/** Work that ends when told to, or when its signal is aborted. */
function held() {
  let begun = 0;
  let stopped = 0;
  let finish: (answer: string) => void = () => undefined;
  const work = (signal: AbortSignal) => {
    begun++;
    return new Promise<string>((resolve, reject) => {
      finish = resolve;
      signal.addEventListener('abort', () => {
        stopped++;
        reject(signal.reason);
      });
    });
  };
  return { work, finish: (answer: string) => finish(answer), counts: () => ({ begun, stopped }) };
}

describe('SharedAsks', () => {
  it('gives all who ask the same one answer', async () => {
    const shared = new SharedAsks({ max: 2 });
    const { work, finish, counts } = held();
    const { signal } = new AbortController();
    const asked = [1, 2, 3].map(() => shared.run('a', work, { signal }));
    finish('done');
    expect(await Promise.all(asked)).toEqual(['done', 'done', 'done']);
    expect(counts().begun).toBe(1);
    expect(shared.counts).toEqual({ running: 0, shared: 2, refused: 0 });
  });

  it('goes on for those who stay, and ends when the last has left', async () => {
    const shared = new SharedAsks({ max: 2 });
    const { work, counts } = held();
    const [one, two] = [new AbortController(), new AbortController()];
    const asked = [one, two].map(({ signal }) => shared.run('a', work, { signal }));
    one.abort();
    await expect(asked[0]).rejects.toThrow('aborted');
    expect(counts().stopped).toBe(0);
    two.abort();
    await expect(asked[1]).rejects.toThrow('aborted');
    expect(counts().stopped).toBe(1);
  });

  it('begins anew for who comes after the last has left', async () => {
    const shared = new SharedAsks({ max: 2 });
    const { work, finish, counts } = held();
    const leaving = new AbortController();
    const left = shared.run('a', work, { signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toThrow('aborted');
    const asked = shared.run('a', work, new AbortController());
    finish('second');
    expect(await asked).toBe('second');
    expect(counts().begun).toBe(2);
  });

  it('refuses what is beyond its bound, and counts it', async () => {
    const shared = new SharedAsks({ max: 1 });
    const { work, finish } = held();
    const { signal } = new AbortController();
    const asked = shared.run('a', work, { signal });
    await expect(shared.run('b', work, { signal })).rejects.toThrow('try again');
    finish('done');
    await asked;
    expect(shared.counts.refused).toBe(1);
  });
});

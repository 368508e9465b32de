import { describe, expect, it } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

describe('a bounded cache', () => {
  it('lets go of what was not asked for longest, and counts it', () => {
    const cache = new BoundedCache<string, number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([1, undefined, 3]);
    expect([cache.count, cache.evictions, cache.values()]).toEqual([2, 1, [1, 3]]);
  });

  it('holds the sum of sizes below its bound, and does not keep what is larger than that', () => {
    const cache = new BoundedCache<string, string>(10);
    cache.set('a', 'x', 6);
    cache.set('b', 'y', 5);
    expect([cache.get('a'), cache.get('b'), cache.size]).toEqual([undefined, 'y', 5]);
    cache.set('b', 'z', 11);
    expect([cache.get('b'), cache.size, cache.count]).toEqual([undefined, 0, 0]);
  });

  it('counts a value that is replaced or deleted once', () => {
    const cache = new BoundedCache<string, string>(10);
    cache.set('a', 'x', 4);
    cache.set('a', 'y', 3);
    expect(cache.size).toBe(3);
    cache.delete('a');
    cache.delete('a');
    expect([cache.size, cache.evictions]).toEqual([0, 0]);
  });
});

import { describe, expect, it } from 'vitest';
import { shardOf } from './shard.ts';

const names = Array.from({ length: 10_000 }, (_, n) => `team-${n % 37}-app-${n}`);

describe('shardOf', () => {
  it.each([2, 3, 5, 7])('spreads 10,000 applications over %i shards within 10 % of even', (count) => {
    const sizes = new Array<number>(count).fill(0);
    for (const name of names) sizes[shardOf(name, count)] = (sizes[shardOf(name, count)] ?? 0) + 1;
    for (const size of sizes) expect(Math.abs(size - names.length / count)).toBeLessThan((names.length / count) * 0.1);
  });

  it.each([
    [5, 3],
    [3, 7],
    [5, 6],
  ])('moves only what it must when %i shards become %i', (from, to) => {
    const moved = names.filter((name) => shardOf(name, from) !== shardOf(name, to));
    const least = Math.abs(to - from) / Math.max(from, to);
    expect(moved.length / names.length).toBeLessThan(least + 0.05);
    // Growing never moves an application between shards that stay.
    if (to > from) expect(moved.every((name) => shardOf(name, to) >= from)).toBe(true);
  });
});

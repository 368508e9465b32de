import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DiskStore } from './index.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-store-'));
});
afterEach(() => rm(dir, { recursive: true }));

const bytes = (text: string) => Buffer.from(text);

describe('DiskStore', () => {
  it('gives back what was put, also to the next process', async () => {
    await new DiskStore({ dir, maxBytes: 10_000 }).put('a', bytes('one'));
    const next = new DiskStore({ dir, maxBytes: 10_000 });
    expect((await next.get('a'))?.toString()).toBe('one');
    expect(await next.get('b')).toBeUndefined();
    expect(next.counts).toMatchObject({ hits: 1, misses: 1 });
  });

  it.each([
    ['one flipped bit', (content: Buffer) => Buffer.from(content.map((byte, at) => (at === 70 ? byte ^ 1 : byte)))],
    ['a cut end', (content: Buffer) => content.subarray(0, -1)],
    ['an empty file', () => Buffer.alloc(0)],
  ])('gives nothing after %s, and forgets the file', async (_name, damage) => {
    const store = new DiskStore({ dir, maxBytes: 10_000 });
    await store.put('a', bytes('some content'));
    const file = join(dir, (await readdir(dir))[0] ?? '');
    await writeFile(file, damage(await readFile(file)));
    expect(await store.get('a')).toBeUndefined();
    expect(await readdir(dir)).toEqual([]);
    expect(store.counts.damaged).toBe(1);
  });

  it('lets the least recently used go at the bound', async () => {
    const store = new DiskStore({ dir, maxBytes: 3 * 164 });
    for (const key of ['a', 'b', 'c']) await store.put(key, Buffer.alloc(100, key));
    await store.get('a');
    await store.put('d', Buffer.alloc(100, 'd'));
    expect(await store.get('b')).toBeUndefined();
    expect((await store.get('a'))?.length).toBe(100);
    expect(store.sizeBytes).toBeLessThanOrEqual(3 * 164);
    expect(store.counts.evictions).toBe(1);
  });

  it('does without a disk that refuses', async () => {
    const file = join(dir, 'file');
    await writeFile(file, '');
    const store = new DiskStore({ dir: join(file, 'below'), maxBytes: 1000 });
    await store.put('a', bytes('x'));
    expect(await store.get('a')).toBeUndefined();
    expect(store.counts.failures).toBeGreaterThan(0);
  });
});

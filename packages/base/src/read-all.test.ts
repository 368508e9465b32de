import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readAll, TooLargeError } from './index.ts';

describe('readAll', () => {
  it('reads streams of Node and of the web, and nothing as nothing', async () => {
    expect(String(await readAll(Readable.from([Buffer.from('ab'), Buffer.from('c')]), { maxBytes: 3 }))).toBe('abc');
    expect(String(await readAll(new Response('abc').body, { maxBytes: 3 }))).toBe('abc');
    expect(String(await readAll(null, { maxBytes: 3 }))).toBe('');
  });

  it('refuses one byte too many without reading on', async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read++;
        yield Buffer.alloc(10);
      }
    }
    await expect(readAll(endless(), { maxBytes: 25 })).rejects.toThrow(TooLargeError);
    expect(read).toBe(3);
  });
});

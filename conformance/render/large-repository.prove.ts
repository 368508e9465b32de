import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { childrenOfThis, makeLargeRepository, openRendering } from './large-repository.ts';

it('bounds what 100,000 files and a file of 100 MB cost, and leaves nothing behind', { timeout: 900_000 }, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'fairlead-large-'));
  const before = await childrenOfThis();
  try {
    const url = await makeLargeRepository(dir, { files: 100_000, largeFileBytes: 100_000_000 });
    const rendering = await openRendering(dir, url);
    const timed = async (path: string, directory?: { recurse: boolean }) => {
      const begun = performance.now();
      const told = await rendering.render(path, directory);
      console.info(`${path}: ${JSON.stringify(told).slice(0, 120)} in ${Math.round(performance.now() - begun)} ms`);
      return told;
    };
    expect(await timed('app')).toEqual({ objects: 1 });
    expect(await timed('large')).toEqual({ refusal: expect.stringMatching(/^large\/cm\.yaml: cannot be read/) });
    const [many, healthy] = await Promise.all([timed('many', { recurse: true }), timed('many/7')]);
    // All of them, or a refusal that names the bound: never a part.
    expect('objects' in many ? many.objects : many.refusal).toSatisfy(
      (told: number | string) => told === 100_000 || /exceed|longer than|more than/.test(String(told)),
    );
    expect(healthy).toEqual({ objects: 1_000 });
    expect(await timed('app')).toEqual({ objects: 1 });
    console.info(`memory: ${Math.round(process.memoryUsage().rss / 1024 / 1024)} MiB`);
    await rendering.stop();
    await expect.poll(childrenOfThis, { timeout: 30_000 }).toEqual(before);
    expect((await readdir(dir)).sort()).toEqual(['large.git', 'mirrors', 'renders']);
  } finally {
    await rm(dir, { recursive: true });
  }
});

// A first start that is killed at any moment, with everything it had started, stands in nobody's way: the next start is
// ready, with the sample. `STEP_MS` says how close the moments are.
import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { databaseDir, eventually, Fairlead, killedStart, temporaryHome } from '../harness.ts';

const stepMs = Number(process.env['STEP_MS'] ?? 250);
const lastMs = 6_000;
const moments = Array.from({ length: Math.floor(lastMs / stepMs) }, (_, i) => (i + 1) * stepMs);

describe('a home whose first start was killed', () => {
  it.each(moments)('after %i ms starts again, with everything', async (moment) => {
    const home = temporaryHome();
    const begun = performance.now();
    await killedStart(home, () => performance.now() - begun >= moment);
    const fairlead = await Fairlead.start(home);
    try {
      const names = ['guestbook-dev', 'guestbook-staging', 'guestbook-prod'];
      await eventually(
        'the sample is deployed',
        () => Promise.all(names.map((name) => fairlead.application(name))),
        (forms) => forms.every(({ health, sync }) => health.status === 'Healthy' && sync.status === 'Synced'),
      );
      const runtimes = await fairlead.get<{ items: { name: string; status: string }[] }>('/runtimes');
      expect(runtimes.items.map(({ name, status }) => [name, status])).toEqual([['hosted', 'connected']]);
    } finally {
      await fairlead.stop();
      for (const dir of [home, databaseDir(home)]) rmSync(dir, { recursive: true, force: true });
    }
  });
});

// A home that an earlier version made starts with this one and holds everything: built from the repository's own
// history, so it needs a full clone and the network or a warm npm cache. FROM names the commit (the first that could
// be set up by strangers).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exec } from '@fairlead/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, Fairlead, root, temporaryHome } from '../harness.ts';

const from = process.env['FROM'] ?? 'f938e2a';

describe(`a home made by ${from}`, () => {
  const old = mkdtempSync(join(tmpdir(), 'fairlead-upgrade-'));
  const home = temporaryHome();
  let before: unknown;

  beforeAll(async () => {
    await exec('git', ['clone', '--quiet', '--no-checkout', root, old], { timeoutMs: 60_000 });
    await exec('git', ['-C', old, 'checkout', '--quiet', from]);
    const first = await Fairlead.start(home, [], { program: [join(old, 'scripts/start.mjs')] });
    const clone = await first.clone();
    clone.edit('dev/deployment.yaml', (text) => text.replace(/image: .*/, 'image: example.com/guestbook:v6'));
    const revision = await clone.push('Deploy v6');
    before = await eventually(
      'v6 in dev',
      () => first.application('guestbook-dev'),
      ({ sync, health }) => sync.revision === revision && health.status === 'Healthy',
      60_000,
    );
    await first.stop();
  }, 600_000);
  afterAll(() => rmSync(old, { recursive: true, force: true }));

  it('starts with this version, shows the same state and goes on deploying', async () => {
    const second = await Fairlead.start(home);
    try {
      const { images, sync } = before as Awaited<ReturnType<Fairlead['application']>>;
      expect(await second.application('guestbook-dev')).toMatchObject({ images, sync });
      const clone = await second.clone();
      clone.edit('dev/deployment.yaml', (text) => text.replace(/image: .*/, 'image: example.com/guestbook:v7'));
      const revision = await clone.push('Deploy v7');
      await eventually(
        'v7 in dev',
        () => second.application('guestbook-dev'),
        (form) => form.sync.revision === revision && form.images.includes('example.com/guestbook:v7'),
        60_000,
      );
    } finally {
      await second.stop();
    }
  });
});

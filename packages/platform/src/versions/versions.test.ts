import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock, silentLogger } from '@fairlead/base';
import type { RuntimeReport } from '@fairlead/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, registerTestRuntime, startTestPlatform, type TestPlatform } from '../testing.ts';
import { VersionFeedReader } from './feed.ts';
import { upgradeOf, withOwn } from './upgrades.ts';

const feed = [
  { version: '0.2.0', security: true },
  { version: '0.4.0-rc.1' },
  { version: '0.3.1', summary: 'faster lists', url: 'https://releases.example/0.3.1' },
  { version: '0.10.0-beta' },
  { version: 'nightly' },
];

describe('an upgrade', () => {
  it.each([
    ['0.1.0', '0.3.1', true],
    ['0.2.0', '0.3.1', false],
    ['0.4.0-alpha', '0.10.0-beta', false],
  ])('of %s is %s', (running, version, security) => {
    expect(upgradeOf(running, feed)).toMatchObject({ version, security });
  });

  it.each(['0.3.1', '1.0.0', 'a build by hand'])('of %s does not exist', (running) => {
    expect(upgradeOf(running, feed)).toBeUndefined();
  });

  it('is the own version of the platform for whoever is older, when there is no feed', () => {
    expect(upgradeOf('0.1.0', withOwn('0.2.0', []))).toEqual({ version: '0.2.0', security: false });
    expect(upgradeOf('0.2.0', withOwn('0.2.0', []))).toBeUndefined();
  });
});

describe('the version feed', () => {
  const { signal } = new AbortController();
  const reader = (place: string | undefined, ask?: typeof fetch) =>
    new VersionFeedReader({ place, clock: new FakeClock(), log: silentLogger, ...(ask ? { fetch: ask } : {}) });

  it('asks nobody unless the operator names a place', async () => {
    const none = reader(undefined, () => Promise.reject(new Error('nobody may be asked')));
    await none.run({ signal });
    expect(none.state).toEqual({ source: 'none' });
  });

  it('refuses a URL whose answer could be changed on the way', () => {
    expect(() => reader('http://releases.example/feed.json')).toThrow('must be an https URL');
  });

  it('keeps what it read when the place fails or answers nonsense, and says why', async () => {
    const answers = [
      () => Response.json({ versions: feed }),
      () => new Response('no', { status: 502 }),
      () => Response.json({ versions: [{ version: 7 }] }),
      () => new Response(`"${'x'.repeat(300 * 1024)}"`),
      () => Response.json({ versions: [] }),
    ];
    const asked = reader('https://releases.example/feed.json', () =>
      Promise.resolve(answers.shift()?.() ?? Response.error()),
    );
    await asked.read({ signal });
    expect(asked.state).toMatchObject({ source: 'url', readAt: expect.any(String) });
    for (const problem of ['answered 502', 'not understood', 'larger than']) {
      await asked.read({ signal });
      expect(asked.state.problem).toContain(problem);
      expect(asked.versions).toHaveLength(feed.length);
    }
    await asked.read({ signal });
    expect(asked.state.problem).toBeUndefined();
    expect(asked.versions).toEqual([]);
  });
});

describe('GET /api/v1/versions', () => {
  let platform: TestPlatform;
  const file = join(mkdtempSync(join(tmpdir(), 'fairlead-feed-')), 'versions.json');
  beforeAll(async () => {
    writeFileSync(file, JSON.stringify({ versions: [{ version: '9.0.0', url: 'https://releases.example/9' }] }));
    platform = await startTestPlatform({ versionFeed: file });
  });
  afterAll(() => platform?.stop());

  it('tells of platform and runtimes what runs and what is newer', async () => {
    const { api, name } = await registerTestRuntime(platform, 'edge');
    await registerTestRuntime(platform, 'silent');
    const runtime: RuntimeReport = {
      version: '0.0.9',
      engine: { kind: 'argo-cd', version: 'v3.1.0' },
      components: [],
      clusters: [],
    };
    const stamp = { key: name, uid: name, epoch: 1, sequence: 1, observedAt: '2026-01-01T00:00:00Z' };
    const object = { kind: 'runtime' as const, ...stamp, hash: '0'.repeat(64), runtime };
    const receipt = await api.call('reportEvents', { body: { reporter: 'test', objects: [object], contents: {} } });
    expect(receipt.quarantined).toEqual([]);
    const told = await eventually('the feed is read', async () => {
      const versions = await platform.api.call('listVersions', {});
      return versions.feed.readAt === undefined ? undefined : versions;
    });
    const upgrade = { version: '9.0.0', security: false };
    expect(told.platform).toMatchObject({ upgrade });
    expect(told.runtimes).toMatchObject([{ name: 'edge', version: '0.0.9', upgrade }, { name: 'silent' }]);
    expect(told.runtimes[1]).not.toHaveProperty('version');
    expect(told.feed.source).toBe('file');
  });
});

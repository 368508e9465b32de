import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  adminKey,
  eventually,
  registerTestRuntime,
  reported,
  sampleReport,
  startTestPlatform,
  type TestPlatform,
} from '../testing.ts';

let platform: TestPlatform;
beforeAll(async () => {
  const webDir = mkdtempSync(join(tmpdir(), 'fairlead-web-'));
  mkdirSync(join(webDir, 'assets'));
  writeFileSync(join(webDir, 'index.html'), '<!doctype html><title>Fairlead</title>');
  writeFileSync(join(webDir, 'assets', 'app-1234.js'), 'export {}');
  platform = await startTestPlatform({ webDir });
});
afterAll(() => platform?.stop());

const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${platform.url}${path}`, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

describe('the web UI', () => {
  const html = { accept: 'text/html,*/*' };

  it('is served at every page address, never under /api', async () => {
    for (const path of ['/', '/applications/r/n/a', '/sign-in?code=x']) {
      expect(await get(path, html)).toMatchObject({ status: 200, text: expect.stringContaining('Fairlead') });
    }
    expect((await get('/api/v1/nothing', html)).status).toBe(404);
  });

  it('has hashed assets that are cached for ever, and pages that are not', async () => {
    expect((await get('/assets/app-1234.js')).headers.get('cache-control')).toContain('immutable');
    expect((await get('/', html)).headers.get('cache-control')).toBe('no-cache');
    expect((await get('/assets/none.js')).status).toBe(404);
  });

  it.each(['/..%2f..%2fetc%2fpasswd', '/%2e%2e/%2e%2e/etc/passwd', '/assets/..%5c..%5cx', '/%00', '/%E0%A4%A'])(
    'gives nothing outside its folder: %s',
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.text).not.toContain('root:');
    },
  );
});

describe('when the database dies', () => {
  it('answers 503, acknowledges nothing, and goes on by itself when it is back', async () => {
    const runtime = await registerTestRuntime(platform, 'surviving');
    const report = (sequence: number, status: 'Healthy' | 'Degraded') =>
      runtime.api.call('reportEvents', {
        body: {
          reporter: 'test',
          objects: [reported(sampleReport('app', { health: { status } }), sequence)],
          contents: {},
        },
      });
    await report(1, 'Healthy');
    await platform.postgres.kill();
    await eventually('not ready', async () => (await get('/readyz')).status === 503);
    await expect(report(2, 'Degraded')).rejects.toMatchObject({ status: 503, code: 'unavailable' });
    expect((await get('/healthz')).status).toBe(200);

    await platform.postgres.revive();
    await eventually('ready', async () => (await get('/readyz')).status === 200, 15_000);
    await report(2, 'Degraded');
    const params = { runtime: 'surviving', namespace: 'argocd', name: 'app' };
    expect((await platform.api.call('getApplication', { params })).row.health.status).toBe('Degraded');
  });

  it('answers 503 also to what was under way when it fell silent, and what was acknowledged is there when it speaks', async () => {
    const runtime = await registerTestRuntime(platform, 'frozen');
    const acknowledged = new Map<string, number>();
    const refusals: unknown[] = [];
    let sequence = 0;
    const report = async (name: string, round: number) => {
      const objects = [
        reported(sampleReport(name, { sync: { status: 'Synced', revision: String(round) } }), ++sequence),
      ];
      await runtime.api.call('reportEvents', { body: { reporter: 'test', objects, contents: {} } });
      acknowledged.set(name, round);
    };
    const untilRefused = async (name: string) => {
      for (let round = 0; ; round++) {
        const refusal = await report(name, round).catch((error: unknown) => error);
        if (refusal !== undefined) return refusals.push(refusal);
      }
    };
    const names = Array.from({ length: 6 }, (_, n) => `app-${n}`);
    const reporting = Promise.all(names.map(untilRefused));
    await eventually('all report', () => acknowledged.size === names.length);
    await platform.postgres.freeze();
    try {
      const authorization = `Bearer ${adminKey}`;
      const answer = await get('/api/v1/applications', { authorization }); // under way, or already refused
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
      await reporting;
      expect(refusals.map((each) => (each as { status?: number }).status)).toEqual(names.map(() => 503));
      expect([(await get('/readyz')).status, (await get('/healthz')).status]).toEqual([503, 200]);
    } finally {
      platform.postgres.thaw();
    }
    await eventually('ready', async () => (await get('/readyz')).status === 200, 60_000);
    const { items } = await platform.api.call('listApplications', { query: { runtime: 'frozen' } });
    const rounds = new Map(items.map(({ id, sync }) => [id.name, Number(sync.revision)]));
    // What was not acknowledged may have been written all the same; it is sent again, and counts once.
    for (const [name, round] of acknowledged) expect(rounds.get(name)).toBeGreaterThanOrEqual(round);
    await report('app-0', 1_000_000);
  });

  it('survives the loss in the middle of many transactions', async () => {
    const runtime = await registerTestRuntime(platform, 'busy');
    let sequence = 0;
    let failed = 0;
    const hammer = async (name: string) => {
      for (let round = 0; round < 20; round++) {
        const objects = [reported(sampleReport(name, { labels: { round: String(round) } }), ++sequence)];
        await runtime.api
          .call('reportEvents', { body: { reporter: 'test', objects, contents: {} } })
          .catch(() => failed++);
      }
    };
    const hammering = Promise.all(Array.from({ length: 12 }, (_, n) => hammer(`app-${n}`)));
    await eventually('some were taken', () => sequence > 30);
    await platform.postgres.kill();
    await hammering;
    expect(failed).toBeGreaterThan(0);
    await platform.postgres.revive();
    await eventually('ready', async () => (await get('/readyz')).status === 200, 15_000);
    await hammer('after');
    const { matched } = await platform.api.call('listApplications', { query: { runtime: 'busy', search: 'after' } });
    expect(matched).toBe(1);
  });
});

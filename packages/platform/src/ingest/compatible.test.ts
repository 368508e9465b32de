import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerTestRuntime, startTestPlatform, type TestPlatform, type TestRuntime } from '../testing.ts';

let platform: TestPlatform;
let runtime: TestRuntime;
beforeAll(async () => {
  platform = await startTestPlatform();
  runtime = await registerTestRuntime(platform, 'elsewhere');
});
afterAll(() => platform?.stop());

const application = (health: string) => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', namespace: 'argocd', uid: 'uid-web', labels: { team: 'a' } },
  spec: {
    project: 'default',
    source: {
      repoURL: 'https://robot:hunter2@git.example/web.git',
      path: 'chart',
      helm: { releaseName: 'web', parameters: [{ name: 'password', value: 'hunter2' }] },
    },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'web' },
  },
  status: {
    sync: { status: 'Synced', revision: 'abc' },
    health: { status: health },
    history: [{ id: 0, revision: 'abc', deployedAt: '2026-01-01T00:00:05Z', deployStartedAt: '2026-01-01T00:00:00Z' }],
    resources: [{ kind: 'Service', version: 'v1', namespace: 'web', name: 'web', status: 'Synced' }],
    summary: { images: ['registry.example/web:v1'] },
  },
});
const inBase64 = (object: object) => Buffer.from(JSON.stringify(object)).toString('base64');

/** As such a reporter does: the token alone, gzip. */
async function send(data: object) {
  const answer = await fetch(`${platform.url}/2.0/api/events`, {
    method: 'POST',
    headers: {
      authorization: await runtime.token(),
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body: gzipSync(JSON.stringify({ data })),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
const shown = () =>
  platform.api.call('getApplication', { params: { runtime: 'elsewhere', namespace: 'argocd', name: 'web' } });

describe('an event of another reporter', () => {
  it('about an application is shown, without what may hold credentials', async () => {
    const source = { commitMessage: 'first', commitAuthor: 'Ada', revision: 'abc', actualManifest: '{}' };
    const errors = [{ type: 'health', level: 'error', message: 'pod fails', lastSeen: '2026-01-01T00:00:00Z' }];
    const sent = { object: inBase64(application('Degraded')), timestamp: '2026-01-01T00:01:00.000Z', source, errors };
    expect(await send(sent)).toMatchObject({ status: 200, body: { applied: 1, quarantined: [] } });
    const { row, report } = await shown();
    expect(row).toMatchObject({ health: { status: 'Degraded' }, commit: { message: 'first', author: 'Ada' } });
    expect(report.resources).toMatchObject([{ kind: 'Service', sync: 'Synced' }]);
    expect(report.conditions).toMatchObject([{ type: 'healthError', message: 'pod fails' }]);
    expect(JSON.stringify(report)).not.toContain('hunter2');
  });

  it('counts by its own time: an older one changes nothing', async () => {
    const old = { object: application('Healthy'), timestamp: '2026-01-01T00:00:30.000Z' };
    expect(await send(old)).toMatchObject({ status: 200, body: { applied: 0, ignored: 1 } });
    expect((await shown()).row.health.status).toBe('Degraded');
    await send({ ...old, timestamp: '2026-01-01T00:02:00.000Z' });
    expect((await shown()).row.health.status).toBe('Healthy');
  });

  it('about something else is acknowledged and ignored', async () => {
    const body = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', metadata: { name: 'r' } };
    const event = { type: 'UPDATE', body, group: 'argoproj.io', version: 'v1alpha1', resource: 'rollouts' };
    expect(await send({ object: event })).toMatchObject({ status: 200, body: { applied: 0, ignored: 1 } });
  });

  it('that cannot be read is refused with the field, or set aside and shown', async () => {
    expect(await send({ object: '%%%' })).toMatchObject({ status: 400, body: { message: /data\.object/ } });
    const poison = { ...application('Healthy'), metadata: { name: 'poison' } };
    expect(await send({ object: poison })).toMatchObject({ status: 200, body: { applied: 0 } });
    const { items } = await platform.api.call('listQuarantine', { params: { runtime: 'elsewhere' } });
    expect(items).toHaveLength(1);
  });

  it('of a deletion takes the application away', async () => {
    const source = { actualManifest: '' };
    await send({ object: application('Healthy'), timestamp: '2026-01-01T00:03:00.000Z', source });
    await expect(shown()).rejects.toMatchObject({ status: 404 });
  });
});

// Workloads as they are taken, shown and forgotten.
import { contentHash, silentLogger } from '@fairlead/base';
import { type ReportedObject, type WorkloadReport, workloadKey } from '@fairlead/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetDeletedWorkloads, openStore } from '../store/index.ts';
import { registerTestRuntime, startTestPlatform, type TestPlatform, type TestRuntime } from '../testing.ts';

let platform: TestPlatform;
let runtime: TestRuntime;
beforeAll(async () => {
  platform = await startTestPlatform();
  runtime = await registerTestRuntime(platform, 'delivering');
});
afterAll(() => platform?.stop());

const rollout = (over: Partial<WorkloadReport> = {}): WorkloadReport => ({
  ...{ cluster: 'https://prod.example', group: 'argoproj.io', version: 'v1alpha1', kind: 'Rollout' },
  ...{ namespace: 'web', name: 'web', uid: 'u', phase: 'Progressing', images: ['web:2'] },
  application: { namespace: 'argocd', name: 'web' },
  manifest: { spec: { replicas: 2 } },
  ...over,
});
const stamp = (key: string, content: unknown, sequence: number, epoch = 1) => ({
  ...{ key, uid: 'u', epoch, sequence, observedAt: new Date().toISOString(), hash: contentHash(content) },
});
const reported = (workload: WorkloadReport, sequence: number, epoch?: number): ReportedObject => ({
  kind: 'workload',
  workload,
  ...stamp(workloadKey(workload), workload, sequence, epoch),
});
const report = (...objects: object[]) =>
  runtime.api.call('reportEvents', { body: { reporter: 'resource-reporter-0', objects, contents: {} } });
const listed = async () => (await platform.api.call('listWorkloads', { params: { runtime: 'delivering' } })).items;

describe('a workload', () => {
  it('is shown as it was reported last, whatever arrives late', async () => {
    await report(reported(rollout({ phase: 'Healthy' }), 2));
    expect(await report(reported(rollout(), 1))).toMatchObject({ applied: 0, ignored: 1 });
    const [row, ...others] = await listed();
    expect(others).toEqual([]);
    expect(row).toMatchObject({ phase: 'Healthy', runtime: 'delivering', cluster: 'https://prod.example' });
    expect(row, 'a list is without manifests').not.toHaveProperty('manifest');
    await report(reported(rollout({ phase: 'Paused' }), 1, 2));
    expect(await listed(), 'a later epoch wins').toMatchObject([{ phase: 'Paused' }]);
  });

  it('under the key of another, or of a kind that is not watched, is set aside', async () => {
    const wrongKey = { ...reported(rollout(), 9), key: 'Rollout/web/other@https://prod.example' };
    const wrongKind = { ...reported(rollout(), 9), workload: { ...rollout(), kind: 'Secret' } };
    expect((await report(wrongKey, wrongKind)).quarantined).toHaveLength(2);
  });

  it('that is gone is no longer listed, and its deletion is forgotten after a while', async () => {
    const key = workloadKey(rollout());
    await report({ kind: 'workload', deleted: true, ...stamp(key, null, 2, 2) });
    expect(await listed()).toEqual([]);
    expect(await report(reported(rollout(), 1, 2)), 'an older report does not bring it back').toMatchObject({
      applied: 0,
    });
    const store = openStore({ url: platform.databaseUrl, log: silentLogger });
    try {
      await forgetDeletedWorkloads(store.db, new Date(Date.now() + 60_000));
      const left = await store.db.selectFrom('reported_objects').select('key').where('kind', '=', 'workload').execute();
      expect(left).toEqual([]);
    } finally {
      await store.close();
    }
  });
});

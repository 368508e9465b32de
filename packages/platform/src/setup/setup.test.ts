import type { ClusterRow, RuntimeReport, RuntimeRow } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { platformForTests } from '../platform-for-tests.ts';
import { setupState } from './state.ts';

const runtime = (over: Partial<RuntimeRow> = {}): RuntimeRow => ({
  name: 'hosted',
  kind: 'hosted',
  status: 'connected',
  createdAt: '',
  applications: 0,
  ...over,
});
const cluster = (over: Partial<ClusterRow> = {}): ClusterRow => ({
  runtime: 'hosted',
  name: 'in-cluster',
  server: 'https://kubernetes.default.svc',
  labels: {},
  annotations: {},
  status: 'Successful',
  applications: 3,
  changedAt: '',
  lastHeardAt: '',
  ...over,
});
const report = { sharedConfigRepo: 'https://h/a/b.git' } as RuntimeReport; // the one member that is looked at
const managed = cluster({ name: 'prod', server: 'https://prod' });

describe('the set-up', () => {
  it('begins with nothing done', () => {
    const { complete, ...steps } = setupState({ runtimes: [], clusters: [], gitSources: 0 });
    expect(complete).toBe(false);
    expect(Object.values(steps).map(({ status }) => status)).toEqual(['todo', 'todo', 'todo']);
  });

  it('is complete with a runtime, its configuration and a cluster that answers', () => {
    const done = setupState({ runtimes: [runtime({ report })], clusters: [managed], gitSources: 1 });
    expect(done.complete).toBe(true);
    expect(done.git).toMatchObject({ runtime: 'hosted', sharedConfigRepo: 'https://h/a/b.git' });
  });

  it.each([
    ["the hosted runtime's own cluster, with nothing deployed", [runtime()], [cluster()], 'todo'],
    ['the same, once something is deployed there', [runtime({ applications: 1 })], [cluster()], 'done'],
    ["a hybrid runtime's own cluster", [runtime({ kind: 'hybrid' })], [cluster()], 'done'],
    ['a cluster that does not answer', [runtime()], [cluster({ ...managed, status: 'Failed' })], 'failed'],
    ['a cluster that was not asked yet', [runtime()], [cluster({ ...managed, status: 'Unknown' })], 'doing'],
  ] as const)('counts %s', (_, runtimes, clusters, status) => {
    expect(setupState({ runtimes, clusters, gitSources: 0 }).cluster.status).toBe(status);
  });
});

describe('a hosted runtime', () => {
  const platform = platformForTests();
  const progress = (state: 'installing' | 'failed', message?: string) =>
    platform.api.call('reportHostedInstall', {
      params: { runtime: 'hosted' },
      body: { state, steps: [{ title: 'components', status: 'running' }], ...(message ? { message } : {}) },
    });

  it('is asked for once, and shows how far it is', async () => {
    const first = await platform.api.call('installHostedRuntime', { body: {} });
    expect(first).toMatchObject({ name: 'hosted', install: { state: 'requested' } });
    await progress('installing');
    const again = await platform.api.call('installHostedRuntime', { body: {} });
    expect(again.install.state).toBe('installing');
    expect((await platform.api.call('getSetup', {})).runtime).toMatchObject({ status: 'doing', name: 'hosted' });
    const { items } = await platform.api.call('listRuntimes', {});
    expect(items).toMatchObject([{ status: 'pending', install: { state: 'installing' } }]);
  });

  it('that failed says why, and can be asked for again', async () => {
    await progress('failed', 'no disk');
    expect((await platform.api.call('getSetup', {})).runtime).toMatchObject({
      status: 'failed',
      install: { message: 'no disk' },
    });
    const again = await platform.api.call('installHostedRuntime', { body: {} });
    expect(again.install.state).toBe('requested');
  });

  it('is the only one of its account', async () => {
    const second = platform.api.call('installHostedRuntime', { body: { name: 'another' } });
    await expect(second).rejects.toThrow('the account has a hosted runtime already: hosted; there can be one');
    const unknown = platform.api.call('reportHostedInstall', {
      params: { runtime: 'nobody' },
      body: { state: 'installing', steps: [] },
    });
    await expect(unknown).rejects.toThrow('there is no hosted runtime nobody');
  });
});

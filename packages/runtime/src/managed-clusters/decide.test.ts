import type { Application } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';
import { describe, expect, it } from 'vitest';
import { clusterApplication, withClusterMarks } from '../configuration/index.ts';
import { decide } from './decide.ts';

const nowMs = Date.parse('2026-05-01T12:00:00Z');
const type = 'argocd.argoproj.io/secret-type';
const inGit = 'fairlead.io/cluster-in-git';
const unlinkedAt = 'fairlead.io/cluster-unlinked-at';

const secret = (secretType: string, labels = {}, annotations = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'cluster-prod', labels: { [type]: secretType, ...labels }, annotations },
});
const plainApplication = clusterApplication(
  {
    runtime: 'hosted',
    namespace: 'argocd',
    sharedConfig: { repoURL: 'https://git.example.com/a.git', path: '', branch: 'main' },
  },
  'prod',
);
const marked = (labels: Record<string, string>) => withClusterMarks(plainApplication, { labels });
const see = (of: KubeObject, application: Application | undefined, missingMs = 0) =>
  decide({ secret: of, application, missingMs, nowMs });

describe('a linked cluster', () => {
  it('is marked as Git’s when its Application is first seen, and left alone after', () => {
    expect(see(secret('cluster'), plainApplication)).toMatchObject({
      do: 'patch',
      metadata: { annotations: { [inGit]: 'true' } },
    });
    expect(see(secret('cluster', {}, { [inGit]: 'true' }), plainApplication)).toEqual({ do: 'nothing' });
  });

  it('takes the labels of Git, and loses those that Git does not have', () => {
    const before = secret('cluster', { region: 'eu', old: 'x' }, { [inGit]: 'true' });
    expect(see(before, marked({ region: 'us' }))).toMatchObject({
      do: 'patch',
      metadata: { labels: { region: 'us', old: null } },
    });
    expect(see(secret('cluster', { region: 'us' }, { [inGit]: 'true' }), marked({ region: 'us' })).do).toBe('nothing');
  });

  it('keeps its labels where the file says nothing of labels', () => {
    expect(see(secret('cluster', { region: 'eu' }, { [inGit]: 'true' }), plainApplication).do).toBe('nothing');
  });

  it('cannot be made something else by a label in Git', () => {
    const decision = see(secret('cluster', {}, { [inGit]: 'true' }), marked({ [type]: 'repository', a: 'b' }));
    expect(decision).toMatchObject({ metadata: { labels: { a: 'b' } } });
    expect(JSON.stringify(decision)).not.toContain('repository');
  });

  it('is unlinked when Git no longer names it, not at the first glance, and never when it was not Git’s', () => {
    const known = secret('cluster', {}, { [inGit]: 'true' });
    expect(see(known, undefined, 1_000)).toEqual({ do: 'wait', ms: 2_000 });
    expect(see(known, undefined, 3_000)).toMatchObject({
      metadata: { labels: { [type]: 'unlinked-cluster' }, annotations: { [unlinkedAt]: '2026-05-01T12:00:00.000Z' } },
    });
    expect(see(secret('cluster'), undefined, 60_000)).toEqual({ do: 'nothing' });
  });
});

describe('an unlinked cluster', () => {
  const since = (ms: number) => ({ [inGit]: 'true', [unlinkedAt]: new Date(nowMs - ms).toISOString() });

  it('is linked again when Git names it again', () => {
    expect(see(secret('unlinked-cluster', {}, since(5_000)), plainApplication)).toMatchObject({
      metadata: { labels: { [type]: 'cluster' }, annotations: { [unlinkedAt]: null } },
    });
  });

  it('is not linked again by an Application that only has not gone yet, but is when Git still names it later', () => {
    expect(see(secret('leaving-cluster', {}, since(5_000)), plainApplication)).toEqual({ do: 'wait', ms: 55_000 });
    expect(see(secret('leaving-cluster', {}, since(5_000)), undefined)).toMatchObject({
      metadata: { labels: { [type]: 'unlinked-cluster' } },
    });
    expect(see(secret('leaving-cluster', {}, since(61_000)), plainApplication)).toMatchObject({
      metadata: { labels: { [type]: 'cluster' } },
    });
  });

  it('is forgotten after a week', () => {
    expect(see(secret('unlinked-cluster', {}, since(6 * 86_400_000)), undefined)).toMatchObject({ do: 'wait' });
    expect(see(secret('unlinked-cluster', {}, since(8 * 86_400_000)), undefined)).toEqual({ do: 'forget' });
  });
});

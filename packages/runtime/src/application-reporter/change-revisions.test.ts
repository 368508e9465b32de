import type { Application } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { lastChangeOf } from './change-revisions.ts';

const repoURL = 'https://git.example/shop.git';

function application(
  status: object,
  spec: object = { source: { repoURL, path: 'dev' } },
  annotations = {},
): Application {
  const metadata = { name: 'dev', namespace: 'argocd', annotations };
  return { metadata, spec: { project: 'default', destination: {}, ...spec }, status } as unknown as Application;
}

const synced = (sync: object) => ({
  sync: { status: 'Synced', revision: 'head' },
  operationState: { phase: 'Succeeded', operation: { sync } },
});

describe('the last change of an application', () => {
  it('is what its last synchronization deployed, though the branch went on', () => {
    expect(lastChangeOf(application(synced({ changeRevision: 'c1' })))).toMatchObject({ revision: 'c1', index: 0 });
  });

  it('is not told while Git has something else than what was deployed', () => {
    const status = { ...synced({ changeRevision: 'c1' }), sync: { status: 'OutOfSync', revision: 'head' } };
    expect(lastChangeOf(application(status))).toBeUndefined();
  });

  it('is of the first of several sources that has commits', () => {
    const sources = [
      { repoURL: 'https://charts.example', chart: 'web' },
      { repoURL, ref: 'values' },
    ];
    const found = lastChangeOf(application(synced({ changeRevisions: ['1.2.0', 'c2'] }), { sources }));
    expect(found).toMatchObject({ revision: 'c2', index: 1, source: { ref: 'values' } });
  });

  it('is read from the annotation beside an Argo CD of others', () => {
    const noted = application(synced({}), undefined, { 'fairlead.io/change-revision': 'c3' });
    expect(lastChangeOf(noted)).toMatchObject({ revision: 'c3' });
    expect(lastChangeOf(application(synced({})))).toBeUndefined();
  });
});

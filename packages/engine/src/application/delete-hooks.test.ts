import { describe, expect, it } from 'vitest';
import type { SyncHook } from '../sync/index.ts';
import { withDeleteFinalizers } from './delete-hooks.ts';

const hookOf = (type: string): SyncHook => {
  const target = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'job', annotations: { 'argocd.argoproj.io/hook': type } },
  };
  return { target, ref: { group: 'batch', version: 'v1', kind: 'Job', name: 'job' } };
};

describe('the finalizers of hooks around a deletion', () => {
  it('leaves an Application without any alone: API servers drop empty lists, so writing one would never end', () => {
    expect(withDeleteFinalizers(undefined, [])).toBeUndefined();
  });

  it('gives back the very list that is right already', () => {
    const right = [
      'other',
      'post-delete-finalizer.argocd.argoproj.io',
      'post-delete-finalizer.argocd.argoproj.io/cleanup',
    ];
    expect(withDeleteFinalizers(right, [hookOf('PostDelete')])).toBe(right);
  });

  it('adds what the hooks need, and takes it off with them', () => {
    const held = withDeleteFinalizers(undefined, [hookOf('PostDelete')]);
    expect(held).toHaveLength(2);
    expect(withDeleteFinalizers(held, [])).toEqual([]);
  });
});

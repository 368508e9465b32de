import { describe, expect, it } from 'vitest';
import { changedLimits, newLimits } from './limits.ts';

const repoURL = 'https://h/team-a/apps.git';

describe('limits by flags', () => {
  it('name clusters and kinds as people write them; its own repository unless others are named', () => {
    const flags = {
      restricted: true,
      allowDestination: ['in-cluster/team-a-*', 'https://k8s:6443/x', '*/y'],
      denyKind: ['Secret', 'apps/Deployment'],
    };
    expect(newLimits(flags, repoURL)).toEqual({
      sourceRepos: [repoURL],
      destinations: [
        { name: 'in-cluster', namespace: 'team-a-*' },
        { server: 'https://k8s:6443', namespace: 'x' },
        { server: '*', namespace: 'y' },
      ],
      namespaceResourceBlacklist: [
        { group: '', kind: 'Secret' },
        { group: 'apps', kind: 'Deployment' },
      ],
    });
  });

  it('are refused without --restricted, and a restricted one without a destination', () => {
    expect(newLimits({}, repoURL)).toBeUndefined();
    expect(() => newLimits({ allowKind: ['Secret'] }, repoURL)).toThrow(/add --restricted/);
    expect(() => newLimits({ restricted: true }, repoURL)).toThrow(/--allow-destination in-cluster/);
    expect(() => newLimits({ restricted: true, allowDestination: ['x'] }, repoURL)).toThrow(/write cluster\/namespace/);
  });

  it('that no flag names stay as they are', () => {
    const known = { name: 'a', repoURL, branch: 'main', path: '', include: '*', exclude: '' };
    const restricted = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: 'x' }] };
    expect(changedLimits({})).toBeUndefined();
    const change = changedLimits({ allowRepo: [repoURL] });
    expect(change?.({ ...known, restricted })).toEqual({ ...restricted, sourceRepos: [repoURL] });
    expect(() => change?.(known)).toThrow(/cannot get any later/);
  });
});

import type { KubeObject } from '@fairlead/kube';
import { describe, expect, it } from 'vitest';
import { defaultProject, permitsDestination, permitsKind, permitsRepository } from './index.ts';

const project = (spec: object) => ({ ...defaultProject('argocd'), spec }) as KubeObject;
const place = { server: 'https://kubernetes.default.svc', name: 'in-cluster', namespace: 'dev' };

describe('what a project allows', () => {
  it('the default project allows everything', () => {
    const all = defaultProject('argocd');
    expect(permitsRepository(all, 'https://h/r')).toBe(true);
    expect(permitsDestination(all, place)).toBe(true);
    expect(permitsKind(all, { group: '', kind: 'Namespace', namespaced: false })).toBe(true);
  });

  it.each([
    [['https://h/org/*'], 'https://h/org/x.git', true],
    [['https://h/org/*'], 'https://h/other/x', false],
    [['https://h/*'], 'https://h/org/x', false],
    [['https://h/**'], 'https://h/org/x', true],
    [['*', '!https://h/org/*'], 'https://h/org/x', false],
    [[], 'https://h/r', false],
  ])('repositories %j: %s', (sourceRepos, url, expected) => {
    expect(permitsRepository(project({ sourceRepos }), url)).toBe(expected);
  });

  it.each([
    [[{ server: '*', namespace: 'dev' }], true],
    [[{ name: 'in-cluster', namespace: 'd*' }], true],
    [[{ server: '*', namespace: 'prod' }], false],
    [
      [
        { server: '*', namespace: '*' },
        { server: '*', namespace: '!dev' },
      ],
      false,
    ],
    [[], false],
  ])('destinations %j', (destinations, expected) => {
    expect(permitsDestination(project({ destinations }), place)).toBe(expected);
  });

  it('kinds: cluster-wide ones by allow-list, others unless forbidden', () => {
    const namespaced = { group: '', kind: 'Secret', namespaced: true };
    const cluster = { group: '', kind: 'Namespace', namespaced: false };
    expect(permitsKind(project({}), cluster)).toBe(false);
    expect(permitsKind(project({}), namespaced)).toBe(true);
    expect(permitsKind(project({ namespaceResourceBlacklist: [{ group: '', kind: 'Secret' }] }), namespaced)).toBe(
      false,
    );
    expect(permitsKind(project({ namespaceResourceWhitelist: [{ group: 'apps', kind: '*' }] }), namespaced)).toBe(
      false,
    );
  });
});

import type { GitSourceLimits } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { limitProblem, limitsFormOf, limitsIn, noLimits } from './limits-form.ts';

const limits: GitSourceLimits = {
  sourceRepos: ['https://git.example/team-a/*', '!https://git.example/team-a/secret.git'],
  destinations: [
    { name: 'in-cluster', namespace: 'team-a-*' },
    { server: 'https://10.0.0.1:6443', namespace: 'team-a' },
  ],
  clusterResourceWhitelist: [{ group: '', kind: 'Namespace' }],
  clusterResourceBlacklist: [{ group: 'rbac.authorization.k8s.io', kind: '*' }],
  namespaceResourceBlacklist: [{ group: 'apps', kind: 'DaemonSet' }],
};

describe('the limits of a restricted Git Source in a form', () => {
  it('are the same after being read and written, with what the form does not show', () => {
    expect(limitsIn(limitsFormOf(limits), 'https://own', limits)).toEqual({ ok: true, limits });
  });

  it('allow the own repository when none is said', () => {
    const read = limitsIn({ ...noLimits, destinations: ' in-cluster/a \n\n' }, 'https://own');
    expect(read).toEqual({
      ok: true,
      limits: { sourceRepos: ['https://own'], destinations: [{ name: 'in-cluster', namespace: 'a' }] },
    });
  });

  it('are refused by field without a destination, or with one that says no namespace', () => {
    expect(limitsIn(noLimits, 'x')).toMatchObject({
      ok: false,
      problems: { destinations: expect.stringContaining('where') },
    });
    expect(limitsIn({ ...noLimits, destinations: 'team-a' }, 'x')).toMatchObject({
      problems: { destinations: expect.stringContaining('team-a: write cluster/namespace') },
    });
  });

  it('have the words of a refusal at the field and line that it names', () => {
    const field = 'restricted.destinations.1.namespace';
    expect(limitProblem(field, `${field}: argocd belongs to the runtime`)).toEqual({
      destinations: 'Line 2: argocd belongs to the runtime',
    });
    expect(limitProblem('restricted.sourceRepos', 'restricted.sourceRepos: allows nothing')).toEqual({
      repos: 'allows nothing',
    });
    expect(limitProblem('name', 'name: taken')).toEqual({});
  });
});

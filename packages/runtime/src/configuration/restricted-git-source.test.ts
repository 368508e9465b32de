import { describe, expect, it } from 'vitest';
import {
  gitSourceApplication,
  gitSourceOf,
  limitsIn,
  projectsOf,
  readGitSource,
  readLimits,
  readManifests,
  writeManifests,
} from './index.ts';

const place = { namespace: 'argocd', runtimeNamespace: 'fairlead' };
const server = 'https://kubernetes.default.svc';
const limits = {
  sourceRepos: ['https://h/team-a/*'],
  destinations: [{ name: 'in-cluster', namespace: 'team-a-*' }],
  namespaceResourceBlacklist: [{ group: '', kind: 'ResourceQuota' }],
};
const source = {
  ...readGitSource({ name: 'team-a', repoURL: 'https://h/team-a/apps.git' }),
  applicationsProject: 'team-a',
};

describe('a restricted Git Source', () => {
  it('is an Application in a project that lets it bring Applications of another one only', () => {
    const application = gitSourceApplication(source, { namespace: 'argocd' });
    expect(application.spec.project).toBe('team-a-restricted');
    expect(gitSourceOf(application)).toEqual(source);
    const [, bringing] = projectsOf(source, limits, place);
    expect(bringing).toMatchObject({
      metadata: { name: 'team-a-restricted', annotations: { 'fairlead.io/applications-project': 'team-a' } },
      spec: {
        sourceRepos: ['https://h/team-a/apps.git'],
        destinations: [{ server, namespace: 'argocd' }],
        clusterResourceWhitelist: [],
        namespaceResourceWhitelist: [{ group: 'argoproj.io', kind: 'Application' }],
      },
    });
  });

  it('never opens the namespaces of engine and runtime, and no kind of the cluster unless listed', () => {
    const [project] = projectsOf(source, { ...limits, destinations: [{ server: '*', namespace: '*' }] }, place);
    expect(project).toMatchObject({
      metadata: { name: 'team-a' },
      spec: {
        clusterResourceWhitelist: [],
        destinations: [
          { server: '*', namespace: '*' },
          { server, namespace: '!argocd' },
          { server, namespace: '!fairlead' },
        ],
      },
    });
  });

  it('has the limits that were given, read back from the file', () => {
    const text = writeManifests(projectsOf(source, limits, place));
    expect(limitsIn(readManifests(text, 'f'), 'team-a', place)).toEqual({ ...limits, clusterResourceWhitelist: [] });
    expect(limitsIn([], 'team-a', place)).toBeUndefined();
  });

  it('stays in its project when it is changed by hand to another', () => {
    const before = gitSourceApplication(source, { namespace: 'argocd' });
    const changed = { ...before, spec: { ...before.spec, project: 'default' } };
    expect(gitSourceApplication(source, { namespace: 'argocd', before: changed }).spec.project).toBe(
      'team-a-restricted',
    );
  });

  it.each([
    [{ sourceRepos: ['!https://h/x'] }, /restricted\.sourceRepos: allows nothing/],
    [{ destinations: [{ namespace: 'x' }] }, /destinations\.0: give either server or name/],
    [{ destinations: [{ server: '*', name: 'a', namespace: 'x' }] }, /destinations\.0: give either/],
    [{ destinations: [{ name: 'in-cluster', namespace: 'argocd' }] }, /argocd belongs to the runtime/],
    [{ destinations: [{ server, namespace: 'fairlead' }] }, /fairlead belongs to the runtime/],
    [{ destinations: [{ server: '*', namespace: '!x' }] }, /destinations: allow nothing/],
  ])('refuses %j', (over, words) => {
    expect(() => readLimits({ ...limits, ...over }, place)).toThrow(words);
  });
});

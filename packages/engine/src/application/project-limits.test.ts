import { applicationsProjectAnnotation, argoApiVersion, trackingIdAnnotation } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';
import { describe, expect, it } from 'vitest';
import { limitProblem, type ProjectLimits } from './project-limits.ts';

const cluster = { server: 'https://kubernetes.default.svc', name: 'in-cluster' };
const limits = (spec: object, annotations = {}): ProjectLimits => ({
  project: { apiVersion: argoApiVersion, kind: 'AppProject', metadata: { name: 'p', annotations }, spec } as KubeObject,
  cluster,
});

const configMap = (namespace: string) => ({
  ref: { group: '', version: 'v1', kind: 'ConfigMap', namespace, name: 'x' },
  target: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace } },
});

describe('what a project allows of objects', () => {
  const project = limits({ destinations: [{ server: '*', namespace: 'team-*' }] });

  it('an object may not name a namespace that the project does not allow', () => {
    expect(limitProblem(project, 'web', configMap('team-a'))).toBeUndefined();
    expect(limitProblem(project, 'web', configMap('argocd'))).toBe("namespace argocd is not permitted in project 'p'");
  });

  it('kinds of the cluster are allowed by name only', () => {
    const ref = { group: '', version: 'v1', kind: 'Namespace', name: 'x' };
    const target = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'x' } };
    expect(limitProblem(project, 'web', { ref, target })).toMatch(/:Namespace is not permitted/);
  });
});

describe('a project that is kept to Applications of another one', () => {
  const kept = limits(
    { destinations: [{ server: '*', namespace: 'argocd' }] },
    { [applicationsProjectAnnotation]: 'team-a' },
  );
  const application = (spec: object, metadata: object = {}, live?: KubeObject) => ({
    ref: { group: 'argoproj.io', version: 'v1alpha1', kind: 'Application', namespace: 'argocd', name: 'web' },
    target: {
      apiVersion: argoApiVersion,
      kind: 'Application',
      metadata: { name: 'web', namespace: 'argocd', ...metadata },
      spec,
    },
    live,
  });
  const trackedBy = (name: string) =>
    application({}, { annotations: { [trackingIdAnnotation]: `${name}:argoproj.io/Application:argocd/web` } }).target;

  it('lets through an Application of that project, new or its own', () => {
    expect(limitProblem(kept, 'source', application({ project: 'team-a' }))).toBeUndefined();
    expect(limitProblem(kept, 'source', application({ project: 'team-a' }, {}, trackedBy('source')))).toBeUndefined();
  });

  it.each([
    ['another project', application({ project: 'default' }), /web names project "default"/],
    ['no project', application({}), /web names project ""/],
    ['a pattern for a project', application({ project: '*' }), /names project/],
    [
      'the Application of another Git Source',
      application({ project: 'team-a' }, {}, trackedBy('other')),
      /is there already and belongs to other/,
    ],
    [
      'an Application that nobody tracks',
      application({ project: 'team-a' }, {}, application({}).target),
      /belongs to nobody/,
    ],
    [
      'a Git Source of its own',
      application({ project: 'team-a' }, { labels: { 'fairlead.io/entity': 'git-source' } }),
      /label of a Git Source/,
    ],
    [
      'a hook',
      application({ project: 'team-a' }, { annotations: { 'argocd.argoproj.io/hook': 'PreSync' } }),
      /is a hook/,
    ],
    ['a Secret', configMap('argocd'), /ConfigMap x is none/],
  ])('refuses %s', (_what, wanted, words) => {
    expect(limitProblem(kept, 'source', wanted)).toMatch(words);
  });
});

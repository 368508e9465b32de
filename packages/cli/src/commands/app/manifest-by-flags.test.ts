import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { manifestByFlags } from './manifest-by-flags.ts';

const repo = 'https://git.example/team-a/shop.git';
const made = (flags: object) => load(manifestByFlags('shop', 'argocd', { repo, ...flags }));

it('makes an Application of the least there is: its root at HEAD, into a namespace of its name, synced by hand', () => {
  expect(made({})).toEqual({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop', namespace: 'argocd' },
    spec: {
      project: 'default',
      source: { repoURL: repo, path: '.', targetRevision: 'HEAD' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
      syncPolicy: { syncOptions: ['CreateNamespace=true'] },
    },
  });
});

it('takes what flags say; another cluster goes by its name', () => {
  const place = { path: 'deploy', revision: 'v1', destCluster: 'prod', destNamespace: 'web', project: 'team-a' };
  expect(made({ ...place, autoSync: true, deleteResources: true })).toMatchObject({
    metadata: { finalizers: ['resources-finalizer.argocd.argoproj.io'] },
    spec: {
      project: 'team-a',
      source: { path: 'deploy', targetRevision: 'v1' },
      destination: { name: 'prod', namespace: 'web' },
      syncPolicy: { automated: { prune: true, selfHeal: true } },
    },
  });
});

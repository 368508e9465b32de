import { expect, it } from 'vitest';
import { newManifest, readManifest, valuesOf, withValues, writeManifest } from './form-values.ts';

const text = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: shop
  annotations: { team: payments }
spec:
  project: default
  source:
    repoURL: https://git.example/shop.git
    targetRevision: main
    path: dev
    helm: { valueFiles: [dev.yaml] }
  destination: { server: https://kubernetes.default.svc, namespace: shop }
  ignoreDifferences: [{ kind: Deployment, jsonPointers: [/spec/replicas] }]
  syncPolicy:
    automated: { allowEmpty: true, prune: true }
    retry: { limit: 3 }
    syncOptions: [ServerSideApply=true]
`;

it('brings every field through the form, also those it does not know', () => {
  const manifest = readManifest(text) ?? {};
  expect(withValues(manifest, { ...valuesOf(manifest), selfHeal: false })).toEqual({
    ...manifest,
    spec: {
      ...(manifest['spec'] as object),
      syncPolicy: {
        automated: { allowEmpty: true, prune: true, selfHeal: false },
        retry: { limit: 3 },
        syncOptions: ['ServerSideApply=true'],
      },
    },
  });
});

it('changes what the form says and nothing else', () => {
  const manifest = readManifest(text) ?? {};
  const changed = withValues(manifest, {
    ...valuesOf(manifest),
    path: 'prod',
    automated: false,
    createNamespace: true,
  });
  expect(valuesOf(changed)).toMatchObject({ path: 'prod', automated: false, createNamespace: true, name: 'shop' });
  expect(changed['spec']).toMatchObject({
    source: { helm: { valueFiles: ['dev.yaml'] } },
    syncPolicy: { retry: { limit: 3 } },
  });
});

it('reads its own writing, and no form out of half-typed text', () => {
  expect(readManifest(writeManifest(newManifest))).toEqual(newManifest);
  expect(readManifest('metadata: [')).toBeUndefined();
  expect(readManifest('just words')).toBeUndefined();
});

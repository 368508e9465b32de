import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { sectionsOf } from './application-settings.ts';
import { changeText, type ManifestDocument, readDocument } from './manifest-document.ts';
import { newManifest } from './new-manifest.ts';
import type { AnySetting } from './settings.ts';

const written = `# Owned by the payments team.
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: shop # as in the catalogue
  finalizers:
  - resources-finalizer.argocd.argoproj.io
  - example.com/keep
spec:
  project: 'default'
  source:
    repoURL: https://git.example/shop.git
    targetRevision: 1.10 # not 1.1
    path: dev
    helm:
      valueFiles:
      - base.yaml # for all
      - dev.yaml
      parameters: [{name: a, value: b}]
  destination:
    name: in-cluster
    namespace: shop
  ignoreDifferences:
  - kind: Deployment
    jsonPointers:
    - /spec/replicas
  syncPolicy:
    automated:
      allowEmpty: true
      prune: true
    syncOptions:
    - FailOnSharedResource=true
    - PruneLast=true # slow database
`;

const documentOf = (text: string): ManifestDocument => {
  const document = readDocument(text);
  if (!document) throw new Error(`not readable:\n${text}`);
  return document;
};
const settingsOf = (text: string) => sectionsOf(documentOf(text)).flatMap(({ settings }) => settings);
const settingOf = (text: string, label: string): AnySetting => {
  const found = settingsOf(text).find((setting) => setting.label === label);
  if (!found) throw new Error(`no setting ${label}`);
  return found;
};
function put(text: string, label: string, value: string | boolean): string {
  const setting = settingOf(text, label);
  return changeText(text, (document) => {
    if (setting.kind === 'check') setting.write(document, value === true);
    else setting.write(document, String(value));
  });
}
const shownOf = (text: string, label: string) => settingOf(text, label).read(documentOf(text));

it('changes the line that a field stands for and no other, comments included', () => {
  expect(put(written, 'Path', 'prod')).toBe(written.replace('path: dev', 'path: prod'));
  expect(put(written, 'Prune', false)).toBe(written.replace('prune: true', 'prune: false'));
  expect(put(written, 'Value files', 'base.yaml\nprod.yaml')).toBe(written.replace('- dev.yaml', '- prod.yaml'));
  expect(put(written, 'Prune last', false)).toBe(written.replace('    - PruneLast=true # slow database\n', ''));
});

it('leaves the text as it is when every field is written with what it says', () => {
  const same = settingsOf(written).reduce((text, setting) => {
    const value = setting.read(documentOf(text));
    return put(text, setting.label, value);
  }, written);
  expect(same).toBe(written);
});

it('keeps a version that looks like a number', () => {
  expect(shownOf(written, 'Revision')).toBe('1.10');
  const changed = put(written, 'Revision', '1.20');
  expect(parse(changed).spec.source.targetRevision).toBe('1.20');
});

it('brings each setting of the form through the YAML', () => {
  const wanted: readonly (readonly [label: string, value: string | boolean])[] = [
    ...([
      ['Kind of source', 'chart'],
      ['Chart', 'shop'],
      ['Version', '1.2.*'],
      ['Cluster by', 'name'],
    ] as const),
    ...([
      ['Cluster', 'eu-prod'],
      ['Namespace', 'shop'],
      ['Make the namespace', false],
    ] as const),
    ...([
      ['Skip schema validation', true],
      ['Server-side apply', true],
      ['How pruning deletes', 'orphan'],
    ] as const),
    ...([
      ['Tries', '3'],
      ['First wait', '10s'],
      ['Longest wait', '5m'],
      ['Factor', '3'],
    ] as const),
    ...([
      ['Rendered by', 'helm'],
      ['Value files', 'a.yaml\nb.yaml'],
      ['Values', 'replicas: 2\n'],
    ] as const),
    ...([
      ['Product', 'shop'],
      ['Groups', 'web'],
      ['When the application is deleted', 'background'],
    ] as const),
  ];
  const text = wanted.reduce((before, [label, value]) => put(before, label, value), put(newManifest, 'Name', 'shop'));
  for (const [label, value] of wanted) expect([label, shownOf(text, label)]).toEqual([label, value]);
  expect(parse(text)).toEqual({
    ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' },
    metadata: {
      name: 'shop',
      annotations: { 'fairlead.io/product': 'shop', 'fairlead.io/app-group': 'web' },
      finalizers: ['resources-finalizer.argocd.argoproj.io/background'],
    },
    spec: {
      project: 'default',
      source: {
        ...{ repoURL: '', targetRevision: '1.2.*', chart: 'shop' },
        helm: { valueFiles: ['a.yaml', 'b.yaml'], values: 'replicas: 2\n' },
      },
      destination: { name: 'eu-prod', namespace: 'shop' },
      syncPolicy: {
        automated: { prune: true, selfHeal: true },
        syncOptions: ['Validate=false', 'ServerSideApply=true', 'PrunePropagationPolicy=orphan'],
        retry: { limit: 3, backoff: { duration: '10s', maxDuration: '5m', factor: 3 } },
      },
    },
  });
});

it('keeps what else a pair carries, and takes away the maps that hold nothing any more', () => {
  const plugin = put(newManifest, 'Rendered by', 'plugin');
  const named = put(put(plugin, 'Plugin', 'cue'), 'Environment', 'A=1\nB=x=y');
  expect(parse(named).spec.source.plugin).toEqual({
    name: 'cue',
    env: [
      { name: 'A', value: '1' },
      { name: 'B', value: 'x=y' },
    ],
  });
  const coded = named.replace('- name: A', '- code: true\n          name: A');
  expect(parse(put(coded, 'Environment', 'A=2')).spec.source.plugin.env).toEqual([
    { code: true, name: 'A', value: '2' },
  ]);
  expect(parse(put(put(newManifest, 'First wait', '5s'), 'First wait', '')).spec.syncPolicy.retry).toBeUndefined();
});

it('keeps other finalizers, and an annotation under the name that it has', () => {
  expect(parse(put(written, 'When the application is deleted', 'none')).metadata.finalizers).toEqual([
    'example.com/keep',
  ]);
  const foreign = written.replace('  finalizers', '  annotations: {codefresh.io/product: shop}\n  finalizers');
  expect(put(foreign, 'Product', 'mail')).toBe(foreign.replace('product: shop', 'product: mail'));
});

it('offers no form for half-typed text, for no object and for several documents', () => {
  for (const text of ['metadata: [', 'just words', 'a: 1\n---\nb: 2\n', '']) expect(readDocument(text)).toBeUndefined();
});

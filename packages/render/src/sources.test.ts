import { describe, expect, it } from 'vitest';
import { Renderer, render } from './renderer.ts';
import { MemoryTree } from './testing.ts';

const chart = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
  'chart/templates/cm.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata: {a: "{{ .Values.a }}", b: "{{ .Values.b }}"}\n',
};
const dataOf = (result: { manifests: readonly { readonly [field: string]: unknown }[] }) =>
  result.manifests.map((manifest) => manifest['data']);

describe('value files of other sources', () => {
  const source = { repoURL: 'u', path: 'chart', helm: { valueFiles: ['$values/env/prod.yaml'] } };
  const lender = (a: string) => new MemoryTree({ 'env/prod.yaml': `a: ${a}\n`, 'other.txt': a });

  it('are read from the root of the source with that ref', async () => {
    const result = await render({ tree: new MemoryTree(chart), source, refs: { values: lender('one') } });
    expect(dataOf(result)).toEqual([{ a: 'one', b: '' }]);
    expect(result.lent['values']?.blobs.map(({ path }) => path)).toEqual(['env/prod.yaml']);
  });

  it('are refused when no source has that ref, or when they lead out of it', async () => {
    await expect(render({ tree: new MemoryTree(chart), source })).rejects.toThrow('none has ref: values');
    const outside = { ...source, helm: { valueFiles: ['$values/../x.yaml'] } };
    const request = { tree: new MemoryTree(chart), source: outside, refs: { values: lender('one') } };
    await expect(render(request)).rejects.toThrow('leads out of the repository');
  });

  it('are inputs: a render is given again only while they are the same', async () => {
    const renderer = new Renderer();
    const at = (a: string, extra = {}) =>
      renderer.render({ tree: new MemoryTree({ ...chart, ...extra }), source, refs: { values: lender(a) } });
    await at('one');
    expect(dataOf(await at('two'))).toEqual([{ a: 'two', b: '' }]);
    expect(dataOf(await at('one', { 'unrelated.yaml': 'x' }))).toEqual([{ a: 'one', b: '' }]);
    expect(renderer.counts).toMatchObject({ hits: 1, misses: 2 });
  });
});

describe('.argocd-source.yaml', () => {
  const tree = new MemoryTree({
    ...chart,
    'chart/.argocd-source.yaml': 'path: elsewhere\nhelm:\n  parameters:\n    - {name: a, value: all}\n',
    'chart/.argocd-source-shop.yaml': 'helm:\n  parameters:\n    - {name: b, value: shop}\n',
  });
  const source = { repoURL: 'u', path: 'chart', helm: { valuesObject: { a: 'x', b: 'y' } } };

  it('changes the tool settings for every application, and one of its own after it', async () => {
    const other = await render({ tree, source, target: { releaseName: 'other' } });
    expect(dataOf(other)).toEqual([{ a: 'all', b: 'y' }]);
    const shop = await render({ tree, source, target: { releaseName: 'shop' } });
    expect(dataOf(shop)).toEqual([{ a: 'x', b: 'shop' }]);
  });

  it('cannot choose a plugin', async () => {
    const bad = new MemoryTree({ ...chart, 'chart/.argocd-source.yaml': 'helm: null\nplugin: {name: evil}\n' });
    await expect(render({ tree: bad, source })).rejects.toThrow('plugin is not supported');
  });
});

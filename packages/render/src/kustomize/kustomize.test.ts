import type { ApplicationSource } from '@fairlead/contracts';
import { describe, expect, it } from 'vitest';
import { render } from '../renderer.ts';
import { MemoryTree } from '../testing.ts';

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 1, template: {spec: {containers: [{name: web, image: "nginx:1"}]}}}
`;
const build = (files: Record<string, string>, kustomize: object = {}) => {
  const source = { repoURL: 'https://h/r', path: 'app', kustomize } as ApplicationSource; // `kustomize` passes the contract
  return render({ tree: new MemoryTree({ 'app/d.yaml': deployment, ...files }), source });
};
const plain = { 'app/kustomization.yaml': 'resources: [d.yaml]\n' };

describe('the fields of an Argo CD source', () => {
  it('lie over the kustomization', async () => {
    const { manifests, sourceType } = await build(plain, {
      namePrefix: 'p-',
      namespace: 'prod',
      images: ['nginx=r.io/nginx:2'],
      replicas: [{ name: 'web', count: '3' }],
      commonAnnotations: { a: 'b' },
    });
    expect(sourceType).toBe('Kustomize');
    expect(manifests[0]?.metadata).toEqual({ name: 'p-web', namespace: 'prod', annotations: { a: 'b' } });
    expect(manifests[0]?.['spec']).toMatchObject({
      replicas: 3,
      template: { spec: { containers: [{ image: 'r.io/nginx:2' }] } },
    });
  });

  it('do not overwrite labels of the repository unless forced', async () => {
    const files = { 'app/kustomization.yaml': 'resources: [d.yaml]\ncommonLabels: {a: x}\n' };
    await expect(build(files, { commonLabels: { a: 'z' } })).rejects.toThrow('in the kustomization already');
    const { manifests } = await build(files, { commonLabels: { a: 'z' }, forceCommonLabels: true });
    expect(manifests[0]?.metadata['labels']).toEqual({ a: 'z' });
  });
});

describe('hostile kustomizations', () => {
  it.each([
    ['resources: ["https://github.com/evil/x?ref=main"]', 'remote resource'],
    ['resources: ["git@host:evil"]', 'remote resource'],
    ['resources: ["../../../other"]', 'leads out of the repository'],
    ['resources: ["/etc"]', 'is absolute'],
    ['resources: [.]', 'cycle detected'],
    ['configMapGenerator: [{name: x, files: ["x=../token"]}]', 'is not in or below'],
    ['configMapGenerator: [{name: x, envs: [/proc/self/environ]}]', 'is absolute'],
    [
      'transformers: ["{apiVersion: x/v1, kind: Mine, metadata: {name: m}}"]',
      'transformer Mine (x/v1) is not supported',
    ],
  ])('are refused: %s', async (text, message) => {
    await expect(build({ 'app/kustomization.yaml': text, token: 's' })).rejects.toThrow(message);
  });
});

it('names every file it read as an input', async () => {
  const { inputs } = await build(plain);
  expect(inputs.blobs.map(({ path }) => path)).toEqual(['app/d.yaml', 'app/kustomization.yaml']);
});

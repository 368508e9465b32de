// The repository of `testdata/examples`, in the shape of the public examples of Argo CD, deployed as people would: every
// application becomes Synced and Healthy on the embedded cluster.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Repository, startWorld, type World } from './world.ts';

const root = join(import.meta.dirname, 'testdata', 'examples');
let world: World;
let repo: Repository;

beforeAll(async () => {
  world = await startWorld();
  repo = await world.repository('demo/examples');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = files.map(async (file) => [relative(root, file), await readFile(file, 'utf8')] as const);
  await repo.push(Object.fromEntries(await Promise.all(texts)));
}, 60_000);
afterAll(() => world.stop());

interface Example {
  readonly path: string;
  readonly sourceType: string;
  readonly source?: object;
}

const examples: readonly Example[] = [
  { path: 'guestbook', sourceType: 'Directory' },
  { path: 'helm-guestbook', sourceType: 'Helm', source: { helm: { valueFiles: ['values-production.yaml'] } } },
  { path: 'kustomize-guestbook', sourceType: 'Kustomize' },
  { path: 'sync-waves', sourceType: 'Directory' },
  { path: 'pre-post-sync', sourceType: 'Kustomize' },
  { path: 'helm-hooks', sourceType: 'Directory' },
  { path: 'helm-dependency', sourceType: 'Helm' },
  { path: 'blue-green', sourceType: 'Directory' },
  { path: 'crds', sourceType: 'Directory' },
];

const isWell = (name: string) =>
  eventually(async () => {
    const { status } = await world.app(name);
    expect(status).toMatchObject({
      sync: { status: 'Synced' },
      health: { status: 'Healthy' },
      operationState: { phase: 'Succeeded' },
    });
    expect(status?.conditions).toBeUndefined();
    return status;
  }, 60_000);

const deploy = ({ path, source = {} }: Pick<Example, 'path' | 'source'>) =>
  world.application(path, {
    project: 'default',
    source: { repoURL: repo.url, path, targetRevision: 'HEAD', ...source },
    destination: { server: 'https://kubernetes.default.svc', namespace: path },
    syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] },
  });

describe.concurrent('the examples', { timeout: 70_000 }, () => {
  it.each(examples)('$path is Synced and Healthy', async (example) => {
    await deploy(example);
    expect((await isWell(example.path))?.sourceType).toBe(example.sourceType);
  });

  it('apps brings its children along', async () => {
    const parameters = [{ name: 'repoURL', value: repo.url }];
    await deploy({ path: 'apps', source: { helm: { parameters } } });
    await Promise.all(['apps', 'child-guestbook', 'child-kustomize-guestbook'].map(isWell));
  });
});

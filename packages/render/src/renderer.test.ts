import { describe, expect, it } from 'vitest';
import { Renderer, render } from './index.ts';
import { MemoryTree } from './testing.ts';

const map = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;
const source = (path: string, directory?: object) => ({
  repoURL: 'https://h/r',
  path,
  ...(directory && { directory }),
});
const namesOf = async (files: Record<string, string>, settings: ReturnType<typeof source>) => {
  const { manifests } = await render({ tree: new MemoryTree(files), source: settings });
  return manifests.map((manifest) => manifest.metadata.name);
};

describe('a directory source', () => {
  const files = {
    'dev/b.yaml': `${map('b1')}---\n${map('b2')}---\n# nothing here\n`,
    'dev/a.yml': map('a'),
    'dev/c.json': JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'c' } }],
    }),
    'dev/README.md': 'no',
    'dev/sub/d.yaml': map('d'),
    'dev/skip.yaml': `# +argocd:skip-file-rendering\n${map('skip')}`,
    'other/x.yaml': map('x'),
  };

  it('takes the manifests of one folder, in order of path', async () => {
    expect(await namesOf(files, source('dev'))).toEqual(['a', 'b1', 'b2', 'c']);
    expect(await namesOf(files, source('./dev/'))).toEqual(['a', 'b1', 'b2', 'c']);
  });

  it.each([
    [{ recurse: true }, ['a', 'b1', 'b2', 'c', 'd']],
    [{ recurse: true, include: '*.yaml' }, ['b1', 'b2', 'd']],
    [{ recurse: true, include: '{a.yml,sub/*}' }, ['a', 'd']],
    [{ exclude: 'b*' }, ['a', 'c']],
  ])('obeys %j', async (directory, expected) => {
    expect(await namesOf(files, source('dev', directory))).toEqual(expected);
  });

  it('reads YAML as Kubernetes does', async () => {
    const text = `${map('m')}data:\n  a: yes\n  b: off\n  c: 0755\n  d: 2024-01-01\n  e: 12:30\n  f: 1_000\n  g: 1e3\n  h: "no"\n  i: ~\n  on: x\n`;
    const { manifests } = await render({ tree: new MemoryTree({ 'p/m.yaml': text }), source: source('p') });
    expect(manifests[0]?.['data']).toEqual({
      a: true,
      b: false,
      c: 493,
      d: '2024-01-01',
      e: '12:30',
      f: 1000,
      g: 1000,
      h: 'no',
      i: null,
      true: 'x',
    });
  });

  it('passes over files that plainly are something else, and says so', async () => {
    const { manifests, warnings } = await render({
      tree: new MemoryTree({ 'p/values.yaml': 'image: x\nreplicas: 2\n', 'p/a.yaml': map('a') }),
      source: source('p'),
    });
    expect(manifests).toHaveLength(1);
    expect(warnings).toEqual([expect.stringContaining('p/values.yaml')]);
  });

  it('gives nothing for a folder without manifests', async () => {
    expect(await namesOf({ 'p/README.md': 'x' }, source('p'))).toEqual([]);
  });

  it('follows links inside the repository and refuses those that leave it', async () => {
    const linked = { 'p/a.yaml': 'link:../shared/a.yaml', 'shared/a.yaml': map('shared') };
    expect(await namesOf(linked, source('p'))).toEqual(['shared']);
    await expect(namesOf({ 'p/a.yaml': 'link:../../etc/passwd' }, source('p'))).rejects.toThrow('out-of-bounds');
    await expect(namesOf({ 'p/a.yaml': 'link:/etc/passwd' }, source('p'))).rejects.toThrow('out-of-bounds');
    await expect(namesOf({ 'p/a.yaml': 'link:a.yaml' }, source('p'))).rejects.toThrow('symbolic links');
  });
});

describe('what cannot be rendered', () => {
  it.each([
    ['a missing path', { 'a/b.yaml': map('b') }, source('nowhere'), 'nowhere: app path does not exist'],
    ['a path out of the repository', { 'a/b.yaml': map('b') }, source('../x'), 'leads out of the repository'],
    [
      'a field of a kustomization that is not supported',
      { 'p/kustomization.yaml': 'validators: [x.yaml]' },
      source('p'),
      'p/kustomization.yaml: field "validators" is not supported yet',
    ],
    [
      'a Jsonnet program that gives no object',
      { 'p/a.jsonnet': '{}' },
      source('p'),
      'p/a.jsonnet: an object has no "kind"',
    ],
    ['an object without kind', { 'p/a.yaml': `metadata:\n  x: 'apiVersion: kind:'\n` }, source('p'), 'no "kind"'],
    ['JSON that is none', { 'p/a.json': '{' }, source('p'), 'p/a.json: is not JSON'],
  ])('%s', async (_name, files, settings, message) => {
    await expect(render({ tree: new MemoryTree(files), source: settings })).rejects.toThrow(message);
  });

  it('names file and line of broken YAML', async () => {
    const files = { 'p/a.yaml': `${map('a')}data:\n  key: [1, 2\n  other: x\n` };
    await expect(render({ tree: new MemoryTree(files), source: source('p') })).rejects.toThrow(/^p\/a\.yaml:\d+: /);
  });

  it('bounds what aliases expand to', async () => {
    const levels = Array.from({ length: 12 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(10)}]`);
    const bomb = `${map('a')}l0: &l0 [x]\n${levels.join('\n')}\n`;
    await expect(render({ tree: new MemoryTree({ 'p/a.yaml': bomb }), source: source('p') })).rejects.toThrow(
      'p/a.yaml',
    );
  });
});

describe('Renderer', () => {
  it('renders nothing anew for a commit that changes none of the inputs', async () => {
    const renderer = new Renderer();
    const files = { 'p/a.yaml': map('a'), 'q/b.yaml': map('b'), 'p/README.md': '1' };
    const first = await renderer.render({ tree: new MemoryTree(files), source: source('p') });
    const other = new MemoryTree({ ...files, 'q/b.yaml': map('b2'), 'p/README.md': '2', 'p/sub/x.yaml': map('x') });
    const second = await renderer.render({ tree: other, source: source('p') });
    expect(second).toBe(first);
    expect(other.reads).toBe(0);
    expect(renderer.counts).toMatchObject({ hits: 1, misses: 1 });
  });

  it.each([
    ['a changed file', { 'p/a.yaml': map('changed') }],
    ['a new file', { 'p/new.yaml': map('new') }],
    ['a chart that appears', { 'p/Chart.yaml': 'name: x' }],
  ])('renders anew for %s', async (_name, change) => {
    const renderer = new Renderer();
    const files = { 'p/a.yaml': map('a') };
    await renderer.render({ tree: new MemoryTree(files), source: source('p') });
    await renderer
      .render({ tree: new MemoryTree({ ...files, ...change }), source: source('p') })
      .catch(() => undefined);
    expect(renderer.counts).toMatchObject({ hits: 0, misses: 2 });
  });

  it('finds an earlier state again', async () => {
    const renderer = new Renderer();
    const one = new MemoryTree({ 'p/a.yaml': map('one') });
    const two = new MemoryTree({ 'p/a.yaml': map('two') });
    for (const tree of [one, two, one, two]) await renderer.render({ tree, source: source('p') });
    expect(renderer.counts).toMatchObject({ hits: 2, misses: 2 });
  });
});

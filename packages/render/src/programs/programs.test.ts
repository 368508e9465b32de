import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RenderPool } from '../pool/index.ts';
import { Renderer, render } from '../renderer.ts';
import { MemoryTree } from '../testing.ts';
import { Programs } from './index.ts';

/** A program that tells how it was called and what it found, as one ConfigMap. */
const telling = `
const { readdirSync, readFileSync, statSync } = require('node:fs');
const files = readdirSync('.', { recursive: true }).filter((name) => statSync(name).isFile()).sort();
const seen = { args: process.argv.slice(2), files: Object.fromEntries(files.map((name) => [name, readFileSync(name, 'utf8')])), env: process.env };
console.log(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'told' }, data: { seen: JSON.stringify(seen) } }));`;
/** Starts a child, notes its id where the test finds it, and never ends. */
const lingering = (note: string) => `
const { spawn } = require('node:child_process');
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
require('node:fs').writeFileSync(${JSON.stringify(note)}, String(child.pid));
setInterval(() => {}, 1000);`;

const chart = {
  'app/Chart.yaml':
    'apiVersion: v2\nname: c\nversion: 1.0.0\ndependencies: [{name: lib, version: 1.x, repository: "file://../lib"}]\n',
  'app/templates/x.yaml': '{{ fail "our own Helm ran" }}',
  'app/values.yaml': 'a: 1\n',
  'lib/Chart.yaml': 'apiVersion: v2\nname: lib\nversion: 1.2.0\n',
  'shared/values.yaml': 'b: 2\n',
  'other.yaml': 'unread: true\n',
};
const helmSource = {
  repoURL: 'u',
  path: 'app',
  helm: {
    valueFiles: ['/shared/values.yaml'],
    valuesObject: { c: 3 },
    parameters: [
      { name: 'list', value: 'x,y' },
      { name: '--post-renderer', value: 'sh', forceString: true },
    ],
  },
};

interface Seen {
  readonly args: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

const seenIn = (manifests: readonly unknown[]): Seen => {
  const [{ data }] = manifests as [{ data: { seen: string } }]; // what `telling` writes
  return JSON.parse(data.seen) as Seen;
};

describe('programs on PATH', () => {
  let path: string;
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'fairlead-path-'));
    await chmod(path, 0o777); // as root, programs run as somebody else
  });
  afterEach(() => rm(path, { recursive: true }));

  const install = async (name: string, script: string) => {
    await writeFile(join(path, name), `#!${process.execPath}\n${script}`);
    await chmod(join(path, name), 0o755);
  };
  const leftovers = async () => (await readdir(path)).filter((name) => name.startsWith('fairlead-program-'));
  const isAlive = async (pid: number) =>
    !/^State:\s+Z/m.test(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State: Z'));

  it('give helm the chart, its dependencies and values as files, and nothing else', async () => {
    await install('helm', telling);
    const target = { releaseName: '-o', namespace: 'ns', kubeVersion: '1.31' };
    const programs = new Programs({ path, dir: path });
    const result = await render({ tree: new MemoryTree(chart), source: helmSource, target, programs });
    const { args, files, env } = seenIn(result.manifests);
    expect(Object.keys(files)).toEqual([
      'chart/Chart.yaml',
      'chart/charts/lib-1.2.0/Chart.yaml',
      'chart/templates/x.yaml',
      'chart/values.yaml',
      'values-0.yaml',
      'values-1.yaml',
    ]);
    expect([files['values-0.yaml'], files['values-1.yaml']]).toEqual(['b: 2\n', '{"c":3}']);
    expect(args).toEqual([
      'template',
      '--namespace=ns',
      '--kube-version=1.31',
      '--include-crds',
      '--values=values-0.yaml',
      '--values=values-1.yaml',
      '--set=list=x\\,y',
      '--set-string=--post-renderer=sh',
      '--',
      '-o',
      './chart',
    ]);
    expect(env).toMatchObject({ PATH: '', HTTPS_PROXY: 'http://127.0.0.1:9' });
    expect(env).not.toHaveProperty('USER');
    expect(result.engine).toBe('helm on PATH');
    expect(result.inputs.blobs.map((blob) => blob.path)).not.toContain('other.yaml');
    expect(result.inputs.blobs.map((blob) => blob.path)).toContain('shared/values.yaml');
  });

  it('give kustomize its folder, the folders it names, and what the source says', async () => {
    await install('kustomize', telling);
    const tree = new MemoryTree({
      'over/lay/kustomization.yaml': 'resources: [../../base, cm.yaml, "https://h/o/r?ref=v1"]\ncrds: [x.json]\n',
      'over/lay/cm.yaml': 'a: 1\n',
      'over/lay/unnamed.txt': 'counts all the same\n',
      'base/kustomization.yaml': 'components: [../part]\n',
      'part/kustomization.yaml': 'kind: Component\n',
      'elsewhere/x.yaml': 'a: 1\n',
    });
    const source = { repoURL: 'u', path: 'over/lay', kustomize: { namePrefix: 'p-' } };
    const { manifests, inputs } = await render({ tree, source, programs: new Programs({ path, dir: path }) });
    const { args, files } = seenIn(manifests);
    expect(args).toEqual(['build', './over/lay']);
    const read = [
      'base/kustomization.yaml',
      'over/lay/cm.yaml',
      'over/lay/kustomization.yaml',
      'over/lay/unnamed.txt',
      'part/kustomization.yaml',
    ];
    expect(Object.keys(files)).toEqual(read);
    expect(inputs.blobs.map((blob) => blob.path)).toEqual(read);
    expect(JSON.parse(files['over/lay/kustomization.yaml'] ?? '')).toMatchObject({
      namePrefix: 'p-',
      crds: ['x.json'],
    });
  });

  it('are named when they are not there', async () => {
    const rendering = render({
      tree: new MemoryTree(chart),
      source: helmSource,
      programs: new Programs({ path, dir: path }),
    });
    await expect(rendering).rejects.toMatchObject({
      code: 'program_missing',
      message: expect.stringContaining('the program helm is not on PATH'),
    });
  });

  it('tell their failure in their own words', async () => {
    await install(
      'helm',
      'console.error("Error: in " + process.cwd() + "/chart/templates/x.yaml: no"); process.exit(1)',
    );
    const rendering = render({
      tree: new MemoryTree(chart),
      source: helmSource,
      programs: new Programs({ path, dir: path }),
    });
    await expect(rendering).rejects.toThrow('helm: Error: in chart/templates/x.yaml: no');
    expect(await leftovers()).toEqual([]);
  });

  it('are bounded in what they write', async () => {
    await install('helm', 'for (;;) process.stdout.write("x".repeat(10000))');
    const programs = new Programs({ path, dir: path, maxOutputBytes: 100_000 });
    await expect(render({ tree: new MemoryTree(chart), source: helmSource, programs })).rejects.toThrow(
      'more than 100000 bytes',
    );
  });

  it('end with their children and their folder when the render is given up', { timeout: 30_000 }, async () => {
    const note = join(path, 'note');
    await install('helm', lingering(note));
    const asking = new AbortController();
    const pool = new RenderPool({ size: 1 });
    const request = { tree: new MemoryTree(chart), source: helmSource, programs: new Programs({ path, dir: path }) };
    const rendering = new Renderer({ pool }).render(request, { signal: asking.signal });
    const refused = expect(rendering).rejects.toThrow('enough');
    const pidOf = () => readFile(note, 'utf8').then(Number, () => 0);
    await expect.poll(pidOf, { timeout: 30_000 }).toBeGreaterThan(0);
    asking.abort(new Error('enough'));
    await refused;
    const pid = await pidOf();
    await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
    await expect.poll(leftovers, { timeout: 30_000 }).toEqual([]);
    await pool.stop();
  });

  it('are asked again when the program on PATH is another', async () => {
    await install('helm', telling);
    const renderer = new Renderer();
    const request = { tree: new MemoryTree(chart), source: helmSource, programs: new Programs({ path, dir: path }) };
    await renderer.render(request);
    await renderer.render(request);
    expect(renderer.counts).toMatchObject({ hits: 1, misses: 1 });
    await install('helm', `${telling}\n// newer`);
    await renderer.render(request);
    expect(renderer.counts).toMatchObject({ hits: 1, misses: 2 });
  });
});

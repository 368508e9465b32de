import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, systemClock } from '@fairlead/base';
import { GitMirrors, WorkingCopy } from '@fairlead/git';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RenderPool } from '../pool/index.ts';
import { Renderer, render } from '../renderer.ts';
import { MemoryTree } from '../testing.ts';
import { AllowedRemotes, parseRemote } from './index.ts';

describe('parseRemote', () => {
  it.each([
    ['https://github.com/o/r//deploy/base?ref=v1', 'https://github.com/o/r', 'deploy/base', 'v1'],
    ['https://github.com/o/r/deploy?ref=v1&timeout=9', 'https://github.com/o/r', 'deploy', 'v1'],
    ['github.com/o/r?ref=main', 'https://github.com/o/r', '', 'main'],
    ['git@git.host:a/b/c.git//x?ref=v1', 'git@git.host:a/b/c.git', 'x', 'v1'],
    ['ssh://git@git.host:22/a/b.git/x/y', 'ssh://git@git.host:22/a/b.git', 'x/y', 'HEAD'],
    ['git::https://git.host/a/b/c//x?version=2', 'https://git.host/a/b/c', 'x', '2'],
  ])('%s', (text, url, path, revision) => {
    expect(parseRemote(text)).toEqual({ url, path, revision });
  });
});

describe('remote bases', () => {
  let dir: string;
  let mirrors: GitMirrors;
  let base: WorkingCopy;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'fairlead-remotes-'));
    mirrors = new GitMirrors({ dir: join(dir, 'mirrors'), log: silentLogger, allowFile: true });
    base = await WorkingCopy.init(join(dir, 'base'));
    await publish('1');
  });
  afterEach(async () => {
    await mirrors.stop();
    await rm(dir, { recursive: true });
  });

  const publish = async (value: string) => {
    await base.write({
      'common/kustomization.yaml': 'resources: [cm.yaml]\n',
      'common/cm.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {v: "${value}"}\n`,
      'deploy/kustomization.yaml': 'resources: [../common]\nnamePrefix: b-\n',
      'part/kustomization.yaml': 'kind: Component\nnameSuffix: -p\n',
    });
    await base.commit(value);
  };
  const remotesOf = (allowed: readonly string[], permits?: (url: string) => boolean) =>
    new AllowedRemotes({
      allowed,
      mirrors,
      credentialsFor: () => undefined,
      permits,
      clock: { ...systemClock, monotonic: () => Number.POSITIVE_INFINITY },
    });
  const treeOf = (path: string) =>
    new MemoryTree({ 'kustomization.yaml': `resources: ["file://${base.dir}//${path}?ref=main"]\nnamePrefix: a-\n` });
  const source = { repoURL: 'u', path: '' };

  it('are built in their own repository, in worker threads too, and are inputs by commit', async () => {
    const pool = new RenderPool({ size: 1 });
    const request = { tree: treeOf('deploy'), source, remotes: remotesOf([`file://${base.dir}`]) };
    const renderer = new Renderer({ pool });
    const first = await renderer.render(request);
    expect(first.manifests).toMatchObject([{ metadata: { name: 'a-b-c' }, data: { v: '1' } }]);
    expect(first.remotes).toMatchObject([{ revision: 'main', commit: expect.stringMatching(/^[0-9a-f]{40}$/) }]);
    expect(await renderer.render(request)).toBe(first);
    await publish('2');
    expect((await renderer.render(request)).manifests).toMatchObject([{ data: { v: '2' } }]);
    await pool.stop();
  });

  it('may be components', async () => {
    const tree = new MemoryTree({
      'kustomization.yaml': `resources: [cm.yaml]\ncomponents: ["file://${base.dir}//part?ref=main"]\n`,
      'cm.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own}\n',
    });
    const { manifests } = await render({ tree, source, remotes: remotesOf(['*']) });
    expect(manifests).toMatchObject([{ metadata: { name: 'own-p' } }]);
  });

  it('are refused by list and by project, naming both', async () => {
    const tree = treeOf('deploy');
    const refused = (remotes?: AllowedRemotes) => expect(render({ tree, source, remotes })).rejects;
    await refused().toThrow('the list is empty');
    await refused(remotesOf(['https://github.com/o'])).toThrow(
      /kustomization\.yaml: remote resource file:\/\/.*\/base is not on the list .* the list: https:\/\/github\.com\/o/,
    );
    await refused(remotesOf([`file://${base.dir}x`])).toThrow('is not on the list');
    await refused(remotesOf(['*'], () => false)).toThrow('project of the application does not permit');
  });

  it('are also meant where GitHub alone is named, unless a folder or file here has that name', async () => {
    const named = 'github.com/o/r/deploy';
    const kustomization = `resources: ["${named}"]\n`;
    const rendered = (files: Record<string, string>) =>
      render({
        tree: new MemoryTree({ 'kustomization.yaml': kustomization, ...files }),
        source,
        remotes: remotesOf([]),
      });
    await expect(rendered({})).rejects.toThrow('remote resource https://github.com/o/r is not on the list');
    const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n';
    expect((await rendered({ [named]: object })).manifests).toHaveLength(1);
    const folder = { [`${named}/kustomization.yaml`]: 'resources: [c.yaml]\n', [`${named}/c.yaml`]: object };
    expect((await rendered(folder)).manifests).toHaveLength(1);
  });

  it.each(['../escape', 'x/../../escape', '%2e%2e/escape'])('lead nowhere else by %s', async (way) => {
    const tree = new MemoryTree({
      'kustomization.yaml': `resources: ["file://${dir}/base/${way}.git//deploy?ref=main"]\n`,
    });
    await expect(render({ tree, source, remotes: remotesOf([`file://${base.dir}`]) })).rejects.toThrow(
      'is not on the list',
    );
  });

  it('must be folders of git, and not leave them', async () => {
    const remotes = remotesOf(['*']);
    const named = (entry: string) => new MemoryTree({ 'kustomization.yaml': `resources: ["${entry}"]\n` });
    const failing = (entry: string) => expect(render({ tree: named(entry), source, remotes })).rejects;
    await failing('https://raw.host/x/cm.yaml').toThrow('files by URL are not supported');
    await failing(`file://${base.dir}//nope?ref=main`).toThrow('nope is no folder at main');
    await failing(`file://${base.dir}//../base?ref=main`).toThrow(/leads out|leaves|outside/);
  });
});

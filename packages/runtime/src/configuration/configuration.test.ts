import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clusterApplication,
  configurationApplication,
  firstFiles,
  formatSharedConfigUrl,
  gitSourceApplication,
  gitSourceOf,
  parseSharedConfigUrl,
  readGitSource,
  readManifest,
  sharedConfigOf,
  writeManifest,
} from './index.ts';

const place = (url: string) => ({ runtime: 'hosted', namespace: 'argocd', sharedConfig: parseSharedConfigUrl(url) });

describe('the address of a Shared Configuration Repository', () => {
  it('has a repository, and may have a folder and a branch', () => {
    expect(parseSharedConfigUrl('https://git.example.com/a/b.git')).toEqual({
      repoURL: 'https://git.example.com/a/b.git',
      path: '',
      branch: 'main',
    });
    expect(parseSharedConfigUrl('http://git:8080/a/b.git/teams/x?ref=next')).toEqual({
      repoURL: 'http://git:8080/a/b.git',
      path: 'teams/x',
      branch: 'next',
    });
  });

  it('is written as it was read', () => {
    const folder = fc.array(fc.stringMatching(/^[a-z0-9-]{1,8}$/), { maxLength: 3 }).map((parts) => parts.join('/'));
    const branch = fc.stringMatching(/^[a-z][a-z0-9/-]{0,10}[a-z]$/);
    fc.assert(
      fc.property(folder, branch, (path, name) => {
        const address = { repoURL: 'https://git.example.com/a/b.git', path, branch: name };
        expect(parseSharedConfigUrl(formatSharedConfigUrl(address))).toEqual(address);
      }),
    );
  });

  it.each([
    ['git@github.com:a/b.git', /sharedConfigRepo: Invalid URL: .* SSH address; give the HTTPS address/],
    ['ssh://git@github.com/a/b.git', /SSH address/],
    ['https://github.com/a/b', /is not of the form <repository>\.git/],
    ['https://me:secret@github.com/a/b.git', /user or password/],
    ['https://github.com/a/b.git/../c', /is no folder of a repository/],
    ['https://github.com/a/b.git?branch=x', /only ref=<branch>/],
  ])('%s is refused with what to write instead', (url, words) => {
    expect(() => parseSharedConfigUrl(url)).toThrow(words);
    expect(() => parseSharedConfigUrl(url)).not.toThrow(/secret/);
  });
});

describe('the Applications of a runtime', () => {
  it('tell where its configuration is', () => {
    for (const url of ['https://h/a/b.git', 'https://h/a/b.git/teams/x?ref=next']) {
      expect(sharedConfigOf(configurationApplication(place(url)), 'hosted')).toEqual(parseSharedConfigUrl(url));
    }
    expect(sharedConfigOf(configurationApplication(place('https://h/a/b.git')), 'other')).toBeUndefined();
  });

  it('give its own cluster more than a managed one', () => {
    const at = place('https://h/a/b.git/x');
    const own = clusterApplication(at, 'in-cluster').spec;
    const managed = clusterApplication(at, 'prod-eu').spec;
    expect(own.source?.path).toBe('x/resources');
    expect(own.source?.directory?.include).toContain('runtimes/hosted/**/*.yaml');
    expect(managed.source?.directory?.include).toBe(
      '{all-runtimes-all-clusters/*.yaml,all-runtimes-all-clusters/**/*.yaml}',
    );
    expect(managed.destination).toEqual({ name: 'prod-eu', namespace: 'argocd' });
  });

  it('stand in the folder of the runtime', () => {
    const files = firstFiles(place('https://h/a/b.git/x'), writeManifest);
    const text = files['runtimes/hosted/in-cluster.yaml'] ?? '';
    expect(readManifest(text, 'in-cluster.yaml')).toEqual(
      clusterApplication(place('https://h/a/b.git/x'), 'in-cluster'),
    );
  });
});

describe('a Git Source', () => {
  it('reads back from its manifest', () => {
    const source = readGitSource({ name: 'team-a', repoURL: 'https://h/a/b.git', path: '/apps/', exclude: 'x*' });
    expect(source).toMatchObject({ path: 'apps', branch: 'main', include: '*', exclude: 'x*' });
    const text = writeManifest(gitSourceApplication(source, { namespace: 'argocd' }));
    expect(gitSourceOf(readManifest(text, 'f') as never)).toEqual(source);
  });

  it('keeps what people added to its manifest by hand', () => {
    const source = readGitSource({ name: 'team-a', repoURL: 'https://h/a/b.git' });
    const before = gitSourceApplication(source, { namespace: 'argocd' });
    const touched = { ...before, metadata: { ...before.metadata, annotations: { owner: 'team-a' } } };
    const after = gitSourceApplication({ ...source, path: 'apps' }, { namespace: 'argocd', before: touched });
    expect(after.metadata.annotations).toEqual({ owner: 'team-a' });
    expect(gitSourceOf(after)?.path).toBe('apps');
  });

  it('read of a foreign manifest is one too', () => {
    const source = readGitSource({ name: 'team-a', repoURL: 'https://h/a/b.git' });
    const own = gitSourceApplication(source, { namespace: 'argocd' });
    const foreign = { ...own, metadata: { ...own.metadata, labels: { 'codefresh.io/entity': 'git-source' } } };
    expect(gitSourceOf(foreign)).toEqual(source);
    expect(gitSourceOf({ ...own, metadata: { ...own.metadata, labels: {} } })).toBeUndefined();
  });

  it.each([
    [{ name: 'Team_A', repoURL: 'https://h/a/b.git' }, /^name: "Team_A" is not a valid name; use lower-case/],
    [{ name: 'a', repoURL: 'git@github.com:a/b.git' }, /^repoURL: Invalid URL: .*HTTPS/],
    [{ name: 'a', repoURL: 'https://h/a/b.git', path: '../x' }, /^path: /],
    [{ name: 'a', repoURL: 'https://h/a/b.git', branch: 'a b' }, /^branch: /],
  ])('%j is refused by field', (input, words) => {
    expect(() => readGitSource(input)).toThrow(words);
  });

  it('that is not YAML is refused by file and line', () => {
    expect(() => readManifest('a: 1\nb: [', 'x.yaml')).toThrow(/^x\.yaml:\d+: is not valid YAML/);
    expect(() => readManifest('- 1', 'x.yaml')).toThrow(/must hold one manifest/);
  });
});

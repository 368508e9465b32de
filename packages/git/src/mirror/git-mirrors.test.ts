import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '@fairlead/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkingCopy } from '../testing.ts';
import { AuthenticationRefusedError, GitMirrors, RepositoryUnreachableError, RevisionNotFoundError } from './index.ts';

let dir: string;
let work: WorkingCopy;
let mirrors: GitMirrors;
const url = () => work.dir;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-mirror-'));
  work = await WorkingCopy.init(join(dir, 'origin'));
  await work.write({ 'a.yaml': 'one', 'dir/b.yaml': 'two', 'dir/deep/c.txt': 'three three' });
  await work.commit('first');
  mirrors = new GitMirrors({ dir: join(dir, 'mirrors'), allowFile: true, maxReaders: 1 });
});
afterAll(async () => {
  mirrors.stop();
  await rm(dir, { recursive: true, force: true });
});

describe('GitMirrors', () => {
  it('resolves branch, HEAD, tag, full and short id to the same commit', async () => {
    const head = await work.git('rev-parse', 'HEAD');
    await work.git('tag', '-a', 'v1', '-m', 'release');
    for (const revision of ['main', 'HEAD', '', 'refs/heads/main', 'v1', head, head.slice(0, 8)]) {
      expect(await mirrors.resolve(url(), revision)).toBe(head);
    }
  });

  it('sees a new commit at the next resolve and fetches only then', async () => {
    const before = await mirrors.resolve(url(), 'main');
    const fetches = mirrors.counts.fetches;
    expect(await mirrors.resolve(url(), 'main')).toBe(before);
    expect(mirrors.counts.fetches).toBe(fetches);
    await work.write({ 'a.yaml': 'changed' });
    const after = await work.commit('second');
    expect(await mirrors.resolve(url(), 'main')).toBe(after);
    expect(mirrors.counts.fetches).toBe(fetches + 1);
  });

  it('tells whether a revision is where it was without fetching', async () => {
    const commit = await mirrors.resolve(url(), 'main');
    expect(await mirrors.isStillAt(url(), { revision: 'main', commit })).toBe(true);
    expect(await mirrors.isStillAt(url(), { revision: commit, commit })).toBe(true);
    await work.git('commit', '--quiet', '--allow-empty', '-m', 'moved');
    const next = await work.git('rev-parse', 'HEAD');
    const fetches = mirrors.counts.fetches;
    expect(await mirrors.isStillAt(url(), { revision: 'main', commit })).toBe(false);
    expect(await mirrors.isStillAt(url(), { revision: 'main', commit: next })).toBe(true);
    expect(await mirrors.isStillAt(url(), { revision: 'gone', commit })).toBe(false);
    expect(mirrors.counts.fetches).toBe(fetches);
  });

  it('shares one fetch between callers that ask at once', async () => {
    await work.write({ 'a.yaml': 'many' });
    const commit = await work.commit('third');
    const fetches = mirrors.counts.fetches;
    const all = await Promise.all(Array.from({ length: 20 }, () => mirrors.resolve(url(), 'main')));
    expect(new Set(all)).toEqual(new Set([commit]));
    expect(mirrors.counts.fetches).toBe(fetches + 1);
  });

  it('takes what was read after the question, and fetches first when news are expected', async () => {
    await mirrors.resolve(url(), 'HEAD');
    await work.write({ 'a.yaml': 'pushed' });
    const commit = await work.commit('fourth');
    const asOfMs = performance.now();
    const fetches = mirrors.counts.fetches;
    const ask = (revision: string) => mirrors.resolve(url(), revision, { asOfMs, fetchFirst: true });
    expect(await Promise.all([ask('main'), ask('HEAD'), ask('main')])).toEqual([commit, commit, commit]);
    expect(await ask('main')).toBe(commit);
    expect(mirrors.counts.fetches).toBe(fetches + 1);
    expect(await ask('v1')).not.toBe(commit);
    await expect(ask('no-such')).rejects.toThrow(RevisionNotFoundError);
    await expect(ask('main^')).rejects.toThrow(RevisionNotFoundError);
  });

  it('reads trees, blobs, log and metadata by id', async () => {
    const commit = await mirrors.resolve(url(), 'main');
    const repository = await mirrors.repository(url());
    expect((await repository.tree(commit, ''))?.map((entry) => entry.name)).toEqual(['a.yaml', 'dir']);
    const entries = await repository.tree(commit, 'dir/deep');
    expect((await repository.readBlob(entries?.[0]?.id ?? '')).toString()).toBe('three three');
    expect(await repository.tree(commit, 'nowhere')).toBeUndefined();
    expect(await repository.log(commit, { paths: ['dir'] })).toHaveLength(1);
    expect(await repository.log(commit, { paths: ['a.yaml'] })).toHaveLength(4);
    expect(await repository.commitMetadata(commit)).toMatchObject({
      authorName: 'Test',
      authorEmail: 'test@example.com',
      message: 'fourth',
    });
    expect(await repository.tagsAt(await mirrors.resolve(url(), 'v1'))).toEqual(['v1']);
  });

  it('keeps the number of reading processes bounded', async () => {
    const other = await WorkingCopy.init(join(dir, 'other'));
    await other.write({ x: 'y' });
    const commit = await other.commit('only');
    const read = async (address: string, revision: string) => {
      const id = await mirrors.resolve(address, revision);
      return (await mirrors.repository(address)).tree(id, '');
    };
    await Promise.all([read(url(), 'main'), read(other.dir, commit), read(url(), 'v1'), read(other.dir, 'main')]);
    expect(mirrors.counts.readers).toBe(1);
  });

  it('names the revision that is not there', async () => {
    await expect(mirrors.resolve(url(), 'no-such')).rejects.toThrow(RevisionNotFoundError);
    await expect(mirrors.resolve(url(), '--upload-pack=x')).rejects.toThrow(RevisionNotFoundError);
    await expect(mirrors.resolve(url(), 'f'.repeat(40))).rejects.toThrow(RevisionNotFoundError);
  });

  it('says that a server asks for credentials, or cannot be reached, without telling secrets', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="x"' }).end();
    });
    const socket = await listen(server, { port: 0 });
    const remote = `http://127.0.0.1:${socket.port}/a/b.git`;
    await expect(mirrors.resolve(remote, 'main')).rejects.toThrow('none are configured');
    const credentials = { username: 'ana', password: 'hunter2' };
    const refused = await mirrors.resolve(remote, 'main', { credentials }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AuthenticationRefusedError);
    expect(String(refused)).not.toContain('hunter2');
    await socket.close();
    const gone = await mirrors.resolve(remote.replace('//', '//u:pw@'), 'main').catch((error: unknown) => error);
    expect(gone).toBeInstanceOf(RepositoryUnreachableError);
    expect(String(gone)).not.toContain('pw@');
  });

  it('refuses objects above the limit and goes on reading', async () => {
    const small = new GitMirrors({ dir: join(dir, 'small'), allowFile: true, maxBlobBytes: 6 });
    const commit = await small.resolve(url(), 'main');
    const repository = await small.repository(url());
    const deep = await repository.tree(commit, 'dir/deep');
    await expect(repository.readBlob(deep?.[0]?.id ?? '')).rejects.toThrow('at most 6');
    const root = await repository.tree(commit, '');
    expect((await repository.readBlob(root?.[0]?.id ?? '')).toString()).toBe('pushed');
    small.stop();
  });

  it('brings in a commit with all it holds at once, so that nobody finds the commit and not its tree', async () => {
    await work.write({ 'a.yaml': 'whole' });
    await work.commit('whole');
    const { gitDir } = await mirrors.fetch(url());
    expect((await readdir(join(gitDir, 'objects'))).sort()).toEqual(['info', 'pack']);
  });
});

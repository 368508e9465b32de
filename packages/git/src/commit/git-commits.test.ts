import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exec, listen, silentLogger } from '@fairlead/base';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AuthenticationRefusedError, GitMirrors, PushRefusedError, RevisionNotFoundError } from '../mirror/index.ts';
import { GitServer } from '../server/index.ts';
import { WorkingCopy } from '../testing.ts';
import { type CommitOutcome, ConflictError, diffTrees, GitCommits, InvalidChangeError, logPath } from './index.ts';

const key = 'the-key';
const credentials = { username: 'ana', password: key };
const author = { name: 'Ana Liu', email: 'ana@example.com' };
let dir: string;
let origin: string;
let closeServer: () => Promise<void>;
let mirrors: GitMirrors;
let commits: GitCommits;
let copies = 0;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-commits-'));
  const server = new GitServer({ dir: join(dir, 'server'), apiKey: key, log: silentLogger, publicUrl: () => origin });
  await server.prepare();
  const socket = await listen(server.http, { port: 0 });
  origin = `http://127.0.0.1:${socket.port}`;
  closeServer = async () => {
    await socket.close();
    await server.stop();
  };
});
beforeEach(() => {
  mirrors?.stop();
  mirrors = new GitMirrors({ dir: join(dir, `mirrors-${++copies}`) });
  commits = new GitCommits({ mirrors });
});
afterAll(async () => {
  mirrors.stop();
  await closeServer();
  await rm(dir, { recursive: true, force: true });
});

/** A repository of its own on the server, with one commit. */
async function seeded(files: Record<string, string>): Promise<{ url: string; copy: WorkingCopy; first: string }> {
  const name = `r${++copies}`;
  const url = `${origin}/demo/${name}.git`;
  const copy = await WorkingCopy.init(join(dir, name));
  await copy.git('remote', 'add', 'origin', url.replace('//', `//me:${key}@`));
  await copy.write(files);
  const first = await copy.commit('first');
  await copy.git('push', '--quiet', 'origin', 'main');
  return { url, copy, first };
}

const commitOf = (outcome: CommitOutcome): string => {
  if (!outcome.committed) throw new Error('nothing was committed');
  return outcome.commit;
};
const show = async (copy: WorkingCopy, path: string, branch = 'main') => {
  await copy.git('fetch', '--quiet', 'origin');
  return copy.git('show', `origin/${branch}:${path}`);
};
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('commitFiles', () => {
  it('adds, changes and removes files in one commit of the acting user, and leaves the rest', async () => {
    const { url, copy, first } = await seeded({ 'a.yaml': 'a', 'dir/b.yaml': 'b', 'dir/c.yaml': 'c', run: 'x' });
    await copy.git('update-index', '--chmod=+x', 'run');
    await copy.git('commit', '--quiet', '-m', 'executable');
    await copy.git('push', '--quiet', 'origin', 'main');
    const changes = [
      { path: 'a.yaml', content: 'A' },
      { path: 'new/deep/ü.bin', content: new Uint8Array([0, 255, 10]) },
      { path: 'dir/b.yaml', content: null },
      { path: 'never/was', content: null },
      { path: 'run', content: 'y' },
    ];
    const committer = { name: 'Fairlead', email: 'bot@example.com' };
    const wanted = { url, branch: 'main', changes, message: 'edit\n\nwhy', author, committer };
    const outcome = await commits.commitFiles(wanted, { credentials });
    await copy.git('fetch', '--quiet', 'origin');
    expect(await copy.git('rev-parse', 'origin/main')).toBe(commitOf(outcome));
    expect(
      await copy.git('-c', 'core.quotePath=false', 'ls-tree', '-r', '--format=%(objectmode) %(path)', 'origin/main'),
    ).toBe('100644 a.yaml\n100644 dir/c.yaml\n100644 new/deep/ü.bin\n100755 run');
    expect(await copy.git('log', '-1', '--format=%an <%ae> %cn <%ce>%n%B', 'origin/main')).toBe(
      'Ana Liu <ana@example.com> Fairlead <bot@example.com>\nedit\n\nwhy',
    );
    expect(await copy.git('rev-list', '--count', `${first}..origin/main`)).toBe('2');
    const { gitDir } = await mirrors.repository(url);
    expect((await readdir(gitDir)).filter((name) => name.startsWith('index'))).toEqual([]);
  });

  it('makes no commit when nothing changes, and says so', async () => {
    const { url, first } = await seeded({ a: '1' });
    for (const changes of [[], [{ path: 'a', content: '1' }], [{ path: 'b', content: null }]]) {
      const wanted = { url, branch: 'main', changes, message: 'none', author };
      expect(await commits.commitFiles(wanted, { credentials })).toEqual({
        committed: false,
        branch: 'main',
        commit: first,
      });
    }
    expect(commits.counts).toMatchObject({ commits: 0, unchanged: 3 });
  });

  it('makes the first commit of an empty repository, and a branch from HEAD or from a named place', async () => {
    const url = `${origin}/demo/empty.git`;
    const gitDir = join(dir, 'server', 'demo', 'empty.git');
    await exec('git', ['init', '--quiet', '--bare', '--initial-branch=main', gitDir]);
    const write = (branch: string, content: string, startFrom?: string) =>
      commits.commitFiles(
        { url, branch, changes: [{ path: 'a', content }], message: content, author, startFrom },
        { credentials },
      );
    const root = commitOf(await write('main', 'one'));
    const repository = await mirrors.fetch(url, { credentials });
    expect((await repository.commitMetadata(root)).parents).toEqual([]);
    const two = commitOf(await write('main', 'two'));
    const branched = commitOf(await write('feature/x', 'three'));
    const older = commitOf(await write('feature/y', 'four', root));
    await mirrors.fetch(url, { credentials });
    expect((await repository.commitMetadata(branched)).parents).toEqual([two]);
    expect((await repository.commitMetadata(older)).parents).toEqual([root]);
    await expect(write('feature/z', 'five', 'no-such')).rejects.toThrow(RevisionNotFoundError);
  });

  it('loses no commit when many write at once, from one process and from two', async () => {
    const { url, copy, first } = await seeded({ a: '1' });
    const others = new GitMirrors({ dir: join(dir, `other-${++copies}`) });
    const second = new GitCommits({ mirrors: others, maxAttempts: 20 });
    const patient = new GitCommits({ mirrors, maxAttempts: 20 });
    const write = (index: number) =>
      (index % 2 ? patient : second).commitFiles(
        { url, branch: 'main', changes: [{ path: `f${index}`, content: `${index}` }], message: `${index}`, author },
        { credentials },
      );
    await Promise.all(Array.from({ length: 8 }, (_, index) => write(index)));
    others.stop();
    await copy.git('fetch', '--quiet', 'origin');
    expect(await copy.git('rev-list', '--count', `${first}..origin/main`)).toBe('8');
    expect((await copy.git('ls-tree', '--name-only', 'origin/main')).split('\n')).toHaveLength(9);
  });

  it('puts a change on top of what others pushed to other paths since the caller looked', async () => {
    const { url, copy, first } = await seeded({ a: '1', b: '1' });
    await copy.write({ b: '2' });
    await copy.commit('other');
    await copy.git('push', '--quiet', 'origin', 'main');
    const changes = [{ path: 'a', content: '2' }];
    const wanted = { url, branch: 'main', changes, message: 'mine', author, expectedBase: first };
    commitOf(await commits.commitFiles(wanted, { credentials }));
    expect([await show(copy, 'a'), await show(copy, 'b')]).toEqual(['2', '2']);
  });

  it('gives all versions when somebody changed the same path', async () => {
    const { url, copy, first } = await seeded({ a: 'base', b: '1', c: '1' });
    await copy.write({ a: 'theirs', b: null, 'new/file': 'theirs', c: '2' });
    const head = await copy.commit('other');
    await copy.git('push', '--quiet', 'origin', 'main');
    const changes = [
      { path: 'a', content: 'ours' },
      { path: 'b', content: 'ours' },
      { path: 'c', content: '2' },
      { path: 'new/file/below', content: 'ours' },
    ];
    const wanted = { url, branch: 'main', changes, message: 'mine', author, expectedBase: first };
    const error = await failure(commits.commitFiles(wanted, { credentials }));
    if (!(error instanceof ConflictError)) throw error;
    expect(error).toMatchObject({ code: 'git_conflict', head, branch: 'main' });
    expect(error.message).toContain('a, b, new/file/below changed meanwhile');
    expect(error.conflicts.map((c) => [c.path, c.base?.toString(), c.theirs?.toString(), c.ours?.toString()])).toEqual([
      ['a', 'base', 'theirs', 'ours'],
      ['b', '1', undefined, 'ours'],
      ['new/file/below', undefined, undefined, 'ours'],
    ]);
    await copy.git('fetch', '--quiet', 'origin');
    expect(await copy.git('rev-parse', 'origin/main')).toBe(head);
  });

  it.each([
    '',
    '/etc/passwd',
    '../x',
    'a/../b',
    'a//b',
    './a',
    'a/',
    '.git/config',
    'x/.GIT/hooks/y',
    '.git./x',
    'git~1/x',
    '.g\u200cit/x',
    'C:/x',
    'a\\b',
    'a\nb',
    'a\0b',
  ])('refuses the path %j', async (path) => {
    const wanted = {
      url: `${origin}/demo/none.git`,
      branch: 'main',
      changes: [{ path, content: 'x' }],
      message: 'm',
      author,
    };
    await expect(commits.commitFiles(wanted, { credentials })).rejects.toThrow(InvalidChangeError);
  });

  it('refuses what is no plain file, bad names of branches and people, and empty messages', async () => {
    const { url, copy } = await seeded({ 'dir/a': '1', file: '1' });
    await copy.git(
      'update-index',
      '--add',
      '--cacheinfo',
      `120000,${await copy.git('hash-object', '-w', 'file')},link`,
    );
    await copy.git('commit', '--quiet', '-m', 'link');
    await copy.git('push', '--quiet', 'origin', 'main');
    const base = { url, branch: 'main', changes: [{ path: 'x', content: 'x' }], message: 'm', author };
    const at = (...paths: string[]) => ({ changes: paths.map((path) => ({ path, content: 'x' })) });
    for (const wrong of [
      at('dir'),
      at('link'),
      at('file/below'),
      at('x', 'x'),
      at('x', 'x/y'),
      { branch: '--force' },
      { branch: 'a..b' },
      { branch: 'a.lock' },
      { branch: '' },
      { message: ' \n' },
      { author: { name: 'A <b>', email: 'x' } },
      { author: { name: '', email: 'x' } },
    ]) {
      await expect(commits.commitFiles({ ...base, ...wrong }, { credentials })).rejects.toThrow(InvalidChangeError);
    }
  });

  it('says who refused: the key, or the branch', async () => {
    const { url } = await seeded({ a: '1' });
    const wanted = { url, branch: 'main', changes: [{ path: 'a', content: '2' }], message: 'm', author };
    const wrong = await failure(commits.commitFiles(wanted, { credentials: { username: 'x', password: 'wr0ng' } }));
    expect(wrong).toBeInstanceOf(AuthenticationRefusedError);
    expect(String(wrong)).not.toContain('wr0ng');
    const gitDir = join(dir, 'server', new URL(url).pathname);
    await exec('git', ['--git-dir', gitDir, 'config', 'transfer.hideRefs', 'refs/heads/hidden']);
    const refused = failure(commits.commitFiles({ ...wanted, branch: 'hidden' }, { credentials }));
    expect(await refused).toBeInstanceOf(PushRefusedError);
  });
});

describe('a push that comes second', () => {
  /** Somebody else's push arrives between our fetch and ours: before git reads the refs, or after. */
  const race = async (stage: 'GET' | 'POST', theirPath: string) => {
    const { url, copy, first } = await seeded({ a: '1', b: '1' });
    let isRaced = false;
    const overtake = async () => {
      isRaced = true;
      await copy.write({ [theirPath]: 'theirs' });
      await copy.commit('theirs');
      await copy.git('push', '--quiet', 'origin', 'main');
    };
    const proxy = createServer(async (incoming, response) => {
      const target = new URL(incoming.url ?? '/', origin);
      const isPush = target.href.includes('git-receive-pack') && incoming.method === stage;
      if (isPush && !isRaced) await overtake();
      const forward = request(target, { method: incoming.method, headers: incoming.headers }, (answer) => {
        answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers));
      });
      incoming.pipe(forward);
    });
    const socket = await listen(proxy, { port: 0 });
    const through = url.replace(origin, `http://127.0.0.1:${socket.port}`);
    const changes = [{ path: 'a', content: 'ours' }];
    const wanted = { url: through, branch: 'main', changes, message: 'ours', author };
    const result = await commits.commitFiles(wanted, { credentials }).catch((error: unknown) => error);
    await socket.close();
    await copy.git('fetch', '--quiet', 'origin');
    return { result, log: await copy.git('log', '--reverse', '--format=%s', `${first}..origin/main`) };
  };

  it.each(['GET', 'POST'] as const)('is made again on top of other paths (%s)', async (stage) => {
    const { result, log } = await race(stage, 'b');
    expect(result).toMatchObject({ committed: true, paths: ['a'] });
    expect(log).toBe('theirs\nours');
    expect(commits.counts).toMatchObject({ commits: 1, retries: 1 });
  });

  it.each(['GET', 'POST'] as const)('is a conflict on the same path (%s)', async (stage) => {
    const { result, log } = await race(stage, 'a');
    if (!(result instanceof ConflictError)) throw result;
    expect(result.conflicts.map(({ path, theirs }) => [path, theirs?.toString()])).toEqual([['a', 'theirs']]);
    expect(log).toBe('theirs');
  });
});

describe('a push whose answer is lost', () => {
  it('is found on the branch and not made twice', async () => {
    const { url, copy, first } = await seeded({ a: '1' });
    let lost = 0;
    const proxy = createServer((incoming, response) => {
      const target = new URL(incoming.url ?? '/', origin);
      const forward = request(target, { method: incoming.method, headers: incoming.headers }, (answer) => {
        const isPush = incoming.method === 'POST' && target.pathname.endsWith('/git-receive-pack');
        if (!isPush) return void answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers));
        lost++;
        answer.resume().once('end', () => response.destroy());
      });
      incoming.pipe(forward);
    });
    const socket = await listen(proxy, { port: 0 });
    const through = url.replace(origin, `http://127.0.0.1:${socket.port}`);
    const changes = [{ path: 'a', content: '2' }];
    const wanted = { url: through, branch: 'main', changes, message: 'once', author };
    const commit = commitOf(await commits.commitFiles(wanted, { credentials }));
    await socket.close();
    await copy.git('fetch', '--quiet', 'origin');
    expect(lost).toBeGreaterThan(0);
    expect(await copy.git('rev-parse', 'origin/main')).toBe(commit);
    expect(await copy.git('rev-list', '--count', `${first}..origin/main`)).toBe('1');
  });
});

describe('revertCommit', () => {
  it('takes back exactly what the commit did, once', async () => {
    const { url, copy } = await seeded({ a: '1', b: '1', 'd/e': '1' });
    await copy.write({ a: '2', b: null, c: 'new', d: null });
    await copy.write({ d: 'a file where a folder was' });
    const commit = await copy.commit('change it');
    await copy.write({ z: 'later' });
    await copy.commit('later');
    await copy.git('push', '--quiet', 'origin', 'main');
    const wanted = { url, branch: 'main', commit, author };
    expect(commitOf(await commits.revertCommit(wanted, { credentials }))).toMatch(/^[0-9a-f]{40}$/);
    await copy.git('fetch', '--quiet', 'origin');
    expect(await copy.git('ls-tree', '-r', '--name-only', 'origin/main')).toBe('a\nb\nd/e\nz');
    expect(await show(copy, 'a')).toBe('1');
    expect(await copy.git('log', '-1', '--format=%an: %B', 'origin/main')).toBe(
      `Ana Liu: Revert "change it"\n\nThis reverts commit ${commit}.`,
    );
    expect(await commits.revertCommit(wanted, { credentials })).toMatchObject({ committed: false });
  });

  it('names the files that were changed since, and writes nothing', async () => {
    const { url, copy, first } = await seeded({ a: '1', b: '1' });
    await copy.write({ a: '2', b: '2' });
    const commit = await copy.commit('change');
    await copy.write({ a: '3' });
    const head = await copy.commit('again');
    await copy.git('push', '--quiet', 'origin', 'main');
    const error = await failure(commits.revertCommit({ url, branch: 'main', commit, author }, { credentials }));
    if (!(error instanceof ConflictError)) throw error;
    expect(error.conflicts.map((c) => [c.path, c.base?.toString(), c.theirs?.toString(), c.ours?.toString()])).toEqual([
      ['a', '2', '3', '1'],
    ]);
    expect(await mirrors.resolve(url, 'main', { credentials })).toBe(head);
    await expect(
      commits.revertCommit({ url, branch: 'main', commit: 'f'.repeat(40), author }, { credentials }),
    ).rejects.toThrow('not part of the branch');
    const repository = await mirrors.repository(url);
    const differences = await diffTrees(repository, { from: first, to: head }, { path: 'b' });
    expect(differences).toMatchObject([{ path: 'b', before: { mode: '100644' }, after: { mode: '100644' } }]);
    const log = await logPath(repository, { commit: head, path: 'b' });
    expect(log.map(({ message }) => message)).toEqual(['change', 'first']);
  });
});

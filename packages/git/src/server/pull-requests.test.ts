// Reviews on the built-in server, by its provider, over a real socket and real git.

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exec, listen, readAll, silentLogger } from '@fairlead/base';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BuiltinProvider, ProviderNotFoundError, ProviderRefusedError } from '../provider/index.ts';
import { WorkingCopy } from '../testing.ts';
import { GitServer } from './index.ts';

const apiKey = 'the-key';
const closers: (() => Promise<unknown>)[] = [];
const told: { ref: string; before: string; after: string }[] = [];
let dir: string;
let url: string;
let provider: BuiltinProvider;
let work: WorkingCopy;
let repository: string;
let count = 0;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-pulls-'));
  const receiver = createServer((incoming, response) => {
    void readAll(incoming, { maxBytes: 1024 * 1024 }).then((body) => {
      told.push(JSON.parse(body.toString('utf8')));
      response.end();
    });
  });
  const hooks = await listen(receiver, { port: 0 });
  const server = new GitServer({
    dir: join(dir, 'server'),
    apiKey,
    log: silentLogger,
    publicUrl: () => url,
    webhookUrls: [`http://127.0.0.1:${hooks.port}`],
  });
  await server.prepare();
  const socket = await listen(server.http, { port: 0 });
  url = `http://127.0.0.1:${socket.port}`;
  provider = new BuiltinProvider({ url, apiKey, user: 'Ana <x>' });
  closers.push(
    () => socket.close(),
    () => server.stop(),
    () => hooks.close(),
  );
});
afterAll(async () => {
  for (const close of closers) await close();
  await rm(dir, { recursive: true, force: true });
});

beforeEach(async () => {
  repository = `demo/app${++count}`;
  work = await WorkingCopy.init(join(dir, `work${count}`));
  await work.git('remote', 'add', 'origin', `http://x:${apiKey}@${new URL(url).host}/${repository}.git`);
  await pushed('main', { 'a.yaml': 'a: 1\n', 'b.yaml': 'b: 1\n' });
  await work.git('checkout', '--quiet', '-b', 'promote');
  await pushed('promote', { 'a.yaml': 'a: 2\n' });
});

async function pushed(branch: string, files: Record<string, string>): Promise<string> {
  await work.write(files);
  const commit = await work.commit(`change ${branch}`);
  await work.git('push', '--quiet', 'origin', `HEAD:${branch}`);
  return commit;
}

const wanted = () => ({ repository, title: 'Promote', body: 'why', from: 'promote', into: 'main' });
const fileAt = async (revision: string, path: string) => {
  await work.git('fetch', '--quiet', 'origin');
  return work.git('show', `${revision}:${path}`);
};

describe('pull requests of the built-in server', () => {
  it('are opened once, read, and merged with what the branch they go into has got meanwhile', async () => {
    const opened = await provider.openPullRequest(wanted());
    expect(opened).toMatchObject({ number: 1, state: 'open', mergeable: true, from: 'promote', into: 'main' });
    await expect(provider.openPullRequest(wanted())).rejects.toThrow('pull request 1 from promote into main is open');
    await work.git('checkout', '--quiet', 'main');
    const before = await pushed('main', { 'b.yaml': 'b: 2\n' });
    const head = opened.headCommit;
    const { commit } = await provider.mergePullRequest({ repository, number: 1, expectedHead: head });
    expect(await fileAt('origin/main', 'a.yaml')).toBe('a: 2');
    expect(await fileAt('origin/main', 'b.yaml')).toBe('b: 2');
    expect(await work.git('log', '-1', '--format=%H %P %an', 'origin/main')).toBe(`${commit} ${before} ${head} Ana x`);
    const merged = await provider.getPullRequest(repository, 1);
    expect(merged).toMatchObject({ state: 'merged', mergeCommit: commit, headCommit: head });
    await expect(provider.mergePullRequest({ repository, number: 1 })).rejects.toThrow('merged already');
    await expect.poll(() => told.at(-1)).toMatchObject({ ref: 'refs/heads/main', before, after: commit });
  });

  it('squash to one commit', async () => {
    await pushed('promote', { 'c.yaml': 'c: 1\n' });
    await provider.openPullRequest(wanted());
    await provider.mergePullRequest({ repository, number: 1, method: 'squash' });
    await work.git('fetch', '--quiet', 'origin');
    expect(await work.git('log', '--format=%s', 'origin/main')).toBe('Promote (1)\nchange main');
    expect(await fileAt('origin/main', 'c.yaml')).toBe('c: 1');
  });

  it('that conflict, or whose head moved, are not merged and say why', async () => {
    const { headCommit } = await provider.openPullRequest(wanted());
    await pushed('promote', { 'c.yaml': 'c: 1\n' });
    const stale = { repository, number: 1, expectedHead: headCommit };
    await expect(provider.mergePullRequest(stale)).rejects.toMatchObject({ code: 'provider_refused', status: 409 });
    await work.git('checkout', '--quiet', 'main');
    const main = await pushed('main', { 'a.yaml': 'a: 3\n' });
    expect(await provider.getPullRequest(repository, 1)).toMatchObject({ state: 'open', mergeable: false });
    await expect(provider.mergePullRequest({ repository, number: 1 })).rejects.toThrow(
      /conflicts with main in a\.yaml/,
    );
    expect(await work.git('ls-remote', 'origin', 'refs/heads/main')).toContain(main);
  });

  it('that a push has merged are merged', async () => {
    const { headCommit } = await provider.openPullRequest(wanted());
    await work.git('push', '--quiet', 'origin', 'promote:main');
    const merged = { state: 'merged', mergeCommit: headCommit };
    expect(await provider.getPullRequest(repository, 1)).toMatchObject(merged);
    await expect(provider.openPullRequest(wanted())).rejects.toThrow('has every commit of promote already');
  });

  it('are numbered one after the other, also when they come at once', async () => {
    const branches = ['x', 'y', 'z'];
    for (const branch of branches) await work.git('push', '--quiet', 'origin', `promote:${branch}`);
    const opened = await Promise.all(branches.map((from) => provider.openPullRequest({ ...wanted(), from })));
    expect(opened.map(({ number }) => number).sort()).toEqual([1, 2, 3]);
  });

  it('are refused when what they name is not there or is no name', async () => {
    await expect(provider.openPullRequest({ ...wanted(), from: 'none' })).rejects.toThrow('no branch none');
    await expect(provider.openPullRequest({ ...wanted(), title: ' ' })).rejects.toThrow('"title" is needed');
    for (const from of ['../x', '--help', 'a..b', 'refs//x'])
      await expect(provider.openPullRequest({ ...wanted(), from })).rejects.toThrow(ProviderRefusedError);
    const rebase = { repository, number: 1, method: 'rebase' } as const;
    await expect(provider.mergePullRequest(rebase)).rejects.toThrow('merge or squash');
    await expect(provider.getPullRequest(repository, 9)).rejects.toThrow(ProviderNotFoundError);
    await expect(provider.getPullRequest('demo/none', 1)).rejects.toThrow(ProviderNotFoundError);
  });

  it('and statuses cannot be seen or pushed by git', async () => {
    const { headCommit } = await provider.openPullRequest(wanted());
    await provider.setCommitStatus({ repository, commit: headCommit, state: 'success', context: 'c' });
    expect(await work.git('ls-remote', 'origin')).not.toMatch(/fairlead/);
    const forge = work.git('push', '--quiet', 'origin', 'HEAD:refs/fairlead/pulls/1');
    await expect(forge).rejects.toThrow('deny updating a hidden ref');
    expect(await provider.getPullRequest(repository, 1)).toMatchObject({ state: 'open' });
  });
});

describe('commit statuses of the built-in server', () => {
  const listed = async (commit: string) => {
    const headers = { authorization: `Basic ${Buffer.from(`x:${apiKey}`).toString('base64')}` };
    const answer = await fetch(`${url}/api/v1/repositories/${repository}/statuses/${commit}`, { headers });
    return { status: answer.status, body: (await answer.json()) as { items: unknown[] } };
  };

  it('keep the newest of each context', async () => {
    const commit = await work.git('rev-parse', 'HEAD');
    const status = { repository, commit, context: 'fairlead/sync', targetUrl: 'https://host/x' } as const;
    await provider.setCommitStatus({ ...status, state: 'pending', description: 'syncing' });
    await provider.setCommitStatus({ ...status, context: 'ci', state: 'failure' });
    await provider.setCommitStatus({ ...status, state: 'success' });
    expect((await listed(commit)).body).toMatchObject({
      items: [
        { context: 'ci', state: 'failure', setBy: 'Ana <x>' },
        { context: 'fairlead/sync', state: 'success', targetUrl: 'https://host/x' },
      ],
    });
    const all = Array.from({ length: 5 }, (_, index) => ({
      ...status,
      context: `c${index}`,
      state: 'success' as const,
    }));
    await Promise.all(all.map((one) => provider.setCommitStatus(one)));
    expect((await listed(commit)).body.items).toHaveLength(7);
  });

  it('belong to commits that are there', async () => {
    const status = { repository, state: 'success', context: 'c' } as const;
    for (const commit of ['f'.repeat(40), 'main', '--all', 'HEAD'])
      await expect(provider.setCommitStatus({ ...status, commit })).rejects.toThrow(ProviderNotFoundError);
    const commit = await work.git('rev-parse', 'HEAD');
    await expect(provider.setCommitStatus({ ...status, commit, context: '' })).rejects.toThrow('"context" is needed');
    expect((await listed('f'.repeat(40))).status).toBe(404);
    const { stdout } = await exec('git', ['--git-dir', join(dir, 'server', `${repository}.git`), 'fsck', '--strict'], {
      env: { PATH: process.env['PATH'] ?? '' },
    });
    expect(stdout.toString('utf8')).not.toContain('error');
  });
});

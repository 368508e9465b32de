import { createHmac } from 'node:crypto';
import { listen } from '@fairlead/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitHubEmulator } from './github-emulator.ts';
import {
  GitHubProvider,
  ProviderAuthenticationError,
  ProviderForbiddenError,
  ProviderNotFoundError,
  ProviderRateLimitError,
  ProviderRefusedError,
  ProviderUnavailableError,
} from './index.ts';

const token = 'ghp_secret';
const sha = 'a'.repeat(40);
let emulator: GitHubEmulator;
let webUrl: string;
let close: () => Promise<void>;
let github: GitHubProvider;

beforeEach(async () => {
  emulator = new GitHubEmulator({ token });
  const socket = await listen(emulator.http, { port: 0 });
  close = () => socket.close();
  webUrl = `http://127.0.0.1:${socket.port}`;
  github = new GitHubProvider({ token, webUrl });
  for (const name of ['demo/a', 'demo/b', 'demo/c', 'ana/notes']) emulator.repositories.add(name);
  emulator.branches.set('demo/a', ['main', 'feature/x']);
});
afterEach(() => close());

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('GitHubProvider', () => {
  it('tells whose token it is, what it may do and when it ends', async () => {
    const probe = await github.probeToken();
    expect(probe).toEqual({ user: 'ana', scopes: ['repo', 'read:org'], expiresAt: '2027-01-02T03:04:05.000Z' });
  });

  it('lists organisations and repositories page by page', async () => {
    expect((await github.listOrganisations()).map(({ name }) => name)).toEqual(['ana', 'demo', 'ops', 'web']);
    const first = await github.listRepositories({ organisation: 'demo' }, { limit: 2 });
    expect(first.items.map(({ fullName }) => fullName)).toEqual(['demo/a', 'demo/b']);
    const second = await github.listRepositories({ organisation: 'demo' }, { limit: 2, cursor: first.nextCursor });
    expect(second).toMatchObject({ items: [{ fullName: 'demo/c', defaultBranch: 'main', private: true }] });
    expect(second.nextCursor).toBeUndefined();
    expect((await github.listRepositories({ organisation: 'ana' })).items).toHaveLength(1);
    expect((await github.listRepositories({ search: 'NOTES' })).items).toMatchObject([{ fullName: 'ana/notes' }]);
  });

  it('makes a repository for an organisation or for the user, once', async () => {
    expect(await github.createRepository({ organisation: 'demo', name: 'new' })).toMatchObject({
      fullName: 'demo/new',
    });
    expect(await github.createRepository({ organisation: 'Ana', name: 'new' })).toMatchObject({ fullName: 'ana/new' });
    const again = await failure(github.createRepository({ organisation: 'demo', name: 'new' }));
    expect(again).toBeInstanceOf(ProviderRefusedError);
    expect(String(again)).toContain('name already exists');
    await expect(github.createRepository({ organisation: 'demo', name: '../x' })).rejects.toThrow('organisation/name');
  });

  it('reads branches and rights', async () => {
    const { items } = await github.listBranches('demo/a');
    expect(items).toEqual([
      { name: 'main', commit: sha, protected: true },
      { name: 'feature/x', commit: sha, protected: false },
    ]);
    expect(await github.permissionOf('demo/a', 'ana')).toBe('write');
    await expect(github.permissionOf('demo/a', 'bob')).rejects.toThrow(ProviderNotFoundError);
  });

  it('opens, reads and merges a pull request, and only the commit that was looked at', async () => {
    const wanted = { repository: 'demo/a', title: 'Promote', from: 'feature/x', into: 'main' };
    const { number } = await github.openPullRequest(wanted);
    const open = await github.getPullRequest('demo/a', number);
    expect(open).toMatchObject({ state: 'open', mergeable: true, headCommit: sha, from: 'feature/x', into: 'main' });
    expect(open.mergeCommit).toBeUndefined();
    const stale = { repository: 'demo/a', number, expectedHead: 'c'.repeat(40) };
    expect(await failure(github.mergePullRequest(stale))).toMatchObject({ code: 'provider_refused', status: 409 });
    const merged = await github.mergePullRequest({ repository: 'demo/a', number, expectedHead: sha });
    expect(await github.getPullRequest('demo/a', number)).toMatchObject({
      state: 'merged',
      mergeCommit: merged.commit,
    });
    await expect(github.openPullRequest({ ...wanted, from: 'none' })).rejects.toThrow('head is invalid');
  });

  it('sets statuses and webhooks, and knows its own signature', async () => {
    const status = { repository: 'demo/a', commit: sha, state: 'success', context: 'fairlead/sync' } as const;
    await github.setCommitStatus({ ...status, description: 'x'.repeat(200) });
    expect(emulator.statuses).toMatchObject([{ commit: sha, state: 'success', description: 'x'.repeat(140) }]);
    const hook = { repository: 'demo/a', url: 'https://me.example/hook', secret: 's', events: ['push'] } as const;
    expect(await github.createWebhook(hook)).toEqual({ id: '1' });
    expect(emulator.hooks).toMatchObject([{ config: { url: hook.url, content_type: 'json', insecure_ssl: '0' } }]);
    const body = Buffer.from('{"ref":"refs/heads/main"}');
    const signature = `sha256=${createHmac('sha256', 's').update(body).digest('hex')}`;
    expect(github.verifyWebhook({ headers: { 'x-hub-signature-256': signature }, body }, 's')).toBe(true);
    expect(github.verifyWebhook({ headers: { 'x-hub-signature-256': signature }, body }, 'other')).toBe(false);
    expect(github.verifyWebhook({ headers: {}, body }, 's')).toBe(false);
  });

  it('links to commits, files and faces', () => {
    const plain = new GitHubProvider({ token });
    expect(plain.commitUrl('demo/a', sha)).toBe(`https://github.com/demo/a/commit/${sha}`);
    const file = { revision: 'feature/x', path: 'dir/ü #1.yaml' };
    expect(plain.fileUrl('demo/a', file)).toBe('https://github.com/demo/a/blob/feature/x/dir/%C3%BC%20%231.yaml');
    expect(plain.avatarUrl('ana')).toBe('https://github.com/ana.png');
  });
});

describe('when GitHub says no', () => {
  it.each([
    [401, {}, ProviderAuthenticationError],
    [403, {}, ProviderForbiddenError],
    [404, {}, ProviderNotFoundError],
    [422, {}, ProviderRefusedError],
    [429, { 'retry-after': '3600' }, ProviderRateLimitError],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4000000000' }, ProviderRateLimitError],
  ])('%s %j is an error of its own, at once', async (status, headers, type) => {
    emulator.failNext({ status, headers, body: { message: 'no' } });
    const error = await failure(github.probeToken());
    expect(error).toBeInstanceOf(type);
    expect(String(error)).not.toContain(token);
    expect(emulator.calls).toHaveLength(1);
  });

  it('waits as long as it was asked to and goes on, also with a write', async () => {
    emulator.failNext(
      { status: 429, headers: { 'retry-after': '0' } },
      { status: 403, headers: { 'retry-after': '0' } },
    );
    expect(await github.probeToken()).toMatchObject({ user: 'ana' });
    const wanted = { repository: 'demo/a', title: 'P', from: 'feature/x', into: 'main' };
    emulator.failNext({ status: 429, headers: { 'retry-after': '0' } });
    expect((await github.openPullRequest(wanted)).number).toBe(1);
  });

  it('reads again after a 502, but never writes twice', async () => {
    emulator.failNext({ status: 502 });
    expect(await github.probeToken()).toMatchObject({ user: 'ana' });
    const wanted = { repository: 'demo/a', title: 'P', from: 'feature/x', into: 'main' };
    emulator.failNext({ status: 502 });
    await expect(github.openPullRequest(wanted)).rejects.toThrow(ProviderUnavailableError);
    expect(emulator.calls.filter((call) => call.startsWith('POST'))).toHaveLength(1);
  });

  it('says that nobody answers, and stops when told to', async () => {
    await expect(github.probeToken({ signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop');
    const wrong = new GitHubProvider({ token: 'other', webUrl });
    await expect(wrong.probeToken()).rejects.toThrow(ProviderAuthenticationError);
    await close();
    await expect(github.probeToken()).rejects.toThrow(ProviderUnavailableError);
  });
});

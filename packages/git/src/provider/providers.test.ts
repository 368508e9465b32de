// The promises that every provider keeps, each against an emulated server of its public API over a real socket.
import { createHmac } from 'node:crypto';
import { listen } from '@fairlead/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emulateProvider, type ProviderEmulator } from '../emulator/index.ts';
import {
  createProvider,
  type GitProvider,
  gitUsernameOf,
  ProviderAuthenticationError,
  ProviderForbiddenError,
  ProviderNotFoundError,
  ProviderRateLimitError,
  ProviderRefusedError,
  ProviderUnavailableError,
  ProviderUnsupportedError,
  repositoryNameOf,
  scopesLacking,
} from './index.ts';

const token = 'secret-of-ana';
const sha = 'a'.repeat(40);
const kinds = ['github', 'gitea', 'gitlab', 'bitbucket', 'gerrit'] as const;
type Kind = (typeof kinds)[number];
const usernames: Partial<Record<Kind, string>> = { gerrit: 'ana', bitbucket: 'ana@example.com' };

let emulator: ProviderEmulator;
let url: string;
let close: () => Promise<void>;
let provider: GitProvider;

async function start(kind: Kind): Promise<void> {
  const username = usernames[kind];
  emulator = emulateProvider(kind, { token, username });
  const socket = await listen(emulator.api.http, { port: 0 });
  close = () => socket.close();
  url = `http://127.0.0.1:${socket.port}`;
  provider = createProvider({ kind, url, token, username });
  for (const name of ['demo/a', 'demo/b', 'demo/c', 'ana/notes']) emulator.host.repositories.add(name);
  emulator.host.branches.set('demo/a', ['main', 'feature/x']);
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );
const names = (items: readonly { fullName: string }[]) => items.map(({ fullName }) => fullName);
const writes = () => emulator.api.calls.filter((call) => !call.startsWith('GET'));
const wanted = { repository: 'demo/a', title: 'Promote', from: 'feature/x', into: 'main' };

describe.each(kinds)('%s', (kind) => {
  beforeEach(() => start(kind));
  afterEach(() => close());

  it('tells whose token it is, and what it may do where the provider says so', async () => {
    const expected = {
      github: { user: 'ana', scopes: ['repo', 'read:org'], expiresAt: '2027-01-02T03:04:05.000Z' },
      gitea: { user: 'ana' },
      gitlab: { user: 'ana', scopes: ['api'], expiresAt: '2027-01-02T00:00:00.000Z' },
      bitbucket: { user: 'ana', scopes: ['account', 'repository:write'] },
      gerrit: { user: 'ana', scopes: ['createProject', 'queryLimit'] },
    };
    expect(await provider.probeToken()).toEqual(expected[kind]);
  });

  it('lists organisations and repositories page by page', async () => {
    const organisations = (await provider.listOrganisations()).map(({ name }) => name);
    expect(organisations).toEqual(kind === 'gerrit' ? ['ana', 'demo'] : ['ana', 'demo', 'ops', 'web']);
    const first = await provider.listRepositories({ organisation: 'demo' }, { limit: 2 });
    expect(names(first.items)).toEqual(['demo/a', 'demo/b']);
    const second = await provider.listRepositories({ organisation: 'demo' }, { limit: 2, cursor: first.nextCursor });
    expect(second).toMatchObject({ items: [{ fullName: 'demo/c', defaultBranch: 'main', private: true }] });
    expect(second.items[0]?.cloneUrl).toMatch(/^https?:\/\/[^@]*\/demo\/c(?:\.git)?$/);
    expect(second.nextCursor).toBeUndefined();
    expect((await provider.listRepositories({ organisation: 'ana' })).items).toHaveLength(1);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await provider.listRepositories({ search: 'NOTES' }, { cursor });
      found.push(...names(page.items));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(found).toEqual(['ana/notes']);
  });

  it('makes a repository once, and only of a name that is one', async () => {
    const made = await provider.createRepository({ organisation: 'demo', name: 'new', description: 'words' });
    expect(made).toMatchObject({ fullName: 'demo/new', defaultBranch: 'main' });
    expect(await provider.createRepository({ organisation: 'ana', name: 'new' })).toMatchObject({
      fullName: 'ana/new',
    });
    const again = await failure(provider.createRepository({ organisation: 'demo', name: 'new' }));
    expect(again).toBeInstanceOf(ProviderRefusedError);
    expect(String(again)).toMatch(/already/);
    for (const name of ['../x', '', 'a b', '%2e%2e'])
      await expect(provider.createRepository({ organisation: 'demo', name })).rejects.toThrow('is not');
  });

  it('names the scope that is missing where it may not make one', async () => {
    const error = await failure(provider.createRepository({ organisation: 'ops', name: 'new' }));
    const missing = { gitlab: 'api', bitbucket: 'repository:admin' }[kind as string];
    if (missing !== undefined) expect(error).toMatchObject({ missingScopes: [missing] });
    if (missing !== undefined) expect(String(error)).toContain(`the token needs ${missing}`);
    else expect(error).toBeInstanceOf(kind === 'gerrit' ? ProviderForbiddenError : ProviderNotFoundError);
  });

  it('lists the pull requests that are open, page by page, with labels where there are some', async () => {
    const titles = ['One', 'Two', 'Three'];
    for (const title of titles) {
      emulator.host.open({ repository: 'demo/a', title, from: 'feature/x', into: 'main', labels: ['preview'] });
    }
    emulator.host.merge('2');
    const first = await provider.listPullRequests('demo/a', { limit: 1 });
    expect(first.items).toMatchObject([
      { number: 3, title: 'Three', state: 'open', from: 'feature/x', into: 'main', headCommit: sha, author: 'ana' },
    ]);
    expect(first.items[0]?.labels).toEqual(kind === 'bitbucket' ? [] : ['preview']);
    const second = await provider.listPullRequests('demo/a', { limit: 1, cursor: first.nextCursor });
    expect(second.items.map(({ number }) => number)).toEqual([1]);
    expect(second.nextCursor).toBeUndefined();
  });

  it('reads branches and rights', async () => {
    const { items } = await provider.listBranches('demo/a');
    const isTold = kind !== 'bitbucket' && kind !== 'gerrit';
    expect(items).toEqual([
      { name: 'main', commit: sha, protected: isTold },
      { name: 'feature/x', commit: sha, protected: false },
    ]);
    await expect(provider.listBranches('demo/none')).rejects.toThrow(ProviderNotFoundError);
    expect(await provider.permissionOf('demo/a', 'ana')).toBe('write');
    if (kind === 'bitbucket') expect(await provider.permissionOf('demo/a', 'bob')).toBe('none');
    else await expect(provider.permissionOf('demo/a', 'bob')).rejects.toThrow(ProviderNotFoundError);
  });

  it('opens, reads and merges a pull request, and only the commit that was looked at', async () => {
    const { number } = await provider.openPullRequest(wanted);
    const open = await provider.getPullRequest('demo/a', number);
    expect(open).toMatchObject({ state: 'open', headCommit: sha, from: 'feature/x', into: 'main', title: 'Promote' });
    expect(open.mergeable).toBe(kind === 'bitbucket' ? undefined : true);
    expect(open.mergeCommit).toBeUndefined();
    const stale = { repository: 'demo/a', number, expectedHead: 'c'.repeat(40) };
    expect(await failure(provider.mergePullRequest(stale))).toMatchObject({ code: 'provider_refused', status: 409 });
    const merged = await provider.mergePullRequest({ repository: 'demo/a', number, expectedHead: sha });
    expect(merged.commit).toBe('b'.repeat(40));
    expect(await provider.getPullRequest('demo/a', number)).toMatchObject({
      state: 'merged',
      mergeCommit: merged.commit,
    });
    const twice = provider.mergePullRequest({ repository: 'demo/a', number });
    await expect(twice).rejects.toThrow(ProviderRefusedError);
    await expect(provider.openPullRequest({ ...wanted, from: 'none' })).rejects.toThrow(ProviderRefusedError);
    await expect(provider.getPullRequest('demo/a', 99)).rejects.toThrow(ProviderNotFoundError);
  });

  it('sets statuses and webhooks', async () => {
    await provider.openPullRequest(wanted);
    const status = { repository: 'demo/a', commit: sha, state: 'pending', context: 'fairlead/sync' } as const;
    await provider.setCommitStatus({ ...status, description: 'x'.repeat(200) });
    await provider.setCommitStatus(status);
    const [first] = emulator.host.statuses;
    const state = { github: 'pending', gitea: 'pending', gitlab: 'pending', bitbucket: 'INPROGRESS' }[kind as string];
    if (state) expect(first).toMatchObject({ commit: sha, state });
    else expect(first).toMatchObject({ commit: sha, labels: { Verified: 0 } });
    const hook = { repository: 'demo/a', url: 'https://me.example/hook', secret: 's', events: ['push'] } as const;
    expect((await provider.createWebhook(hook)).id).toMatch(/1|fairlead/);
    expect(JSON.stringify(emulator.host.hooks)).toContain(hook.url);
  });

  it('links to commits and files', () => {
    const file = { revision: 'feature/x', path: 'dir/ü #1.yaml' };
    const escaped = 'dir/%C3%BC%20%231.yaml';
    const expected = {
      github: [`demo/a/commit/${sha}`, `demo/a/blob/feature/x/${escaped}`],
      gitea: [`demo/a/commit/${sha}`, `demo/a/src/branch/feature/x/${escaped}`],
      gitlab: [`demo/a/-/commit/${sha}`, `demo/a/-/blob/feature/x/${escaped}`],
      bitbucket: [`demo/a/commits/${sha}`, `demo/a/src/feature%2Fx/${escaped}`],
      gerrit: [`plugins/gitiles/demo/a/+/${sha}`, `plugins/gitiles/demo/a/+/refs/heads/feature/x/${escaped}`],
    }[kind];
    const links = [provider.commitUrl('demo/a', sha), provider.fileUrl('demo/a', file)];
    expect(links).toEqual(expected.map((path) => `${url}/${path}`));
  });

  it.each([
    [401, {}, ProviderAuthenticationError],
    [403, {}, ProviderForbiddenError],
    [404, {}, ProviderNotFoundError],
    [422, {}, ProviderRefusedError],
    [429, { 'retry-after': '3600' }, ProviderRateLimitError],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4000000000' }, ProviderRateLimitError],
  ])('%s %j is an error of its own, at once', async (status, headers, type) => {
    emulator.api.failNext({ status, headers, body: { message: 'no' } });
    const error = await failure(provider.listBranches('demo/a'));
    expect(error).toBeInstanceOf(type);
    expect(String(error)).not.toContain(token);
    expect(emulator.api.calls).toHaveLength(1);
  });

  it('waits as long as it was asked to and goes on, also with a write', async () => {
    const soon = { 'retry-after': '0' };
    emulator.api.failNext({ status: 429, headers: soon }, { status: 403, headers: soon });
    expect((await provider.listBranches('demo/a')).items).toHaveLength(2);
    emulator.api.failNext({ status: 429, headers: soon });
    expect((await provider.openPullRequest(wanted)).number).toBe(1);
    expect(emulator.host.pulls).toHaveLength(1);
  });

  it('reads again after a 502, but never writes twice', async () => {
    emulator.api.failNext({ status: 502 });
    expect((await provider.listBranches('demo/a')).items).toHaveLength(2);
    emulator.api.failNext({ status: 502 });
    await expect(provider.openPullRequest(wanted)).rejects.toThrow(ProviderUnavailableError);
    expect(writes()).toHaveLength(1);
  });

  it('says that nobody answers, and stops when told to', async () => {
    const signal = AbortSignal.abort(new Error('stop'));
    await expect(provider.listBranches('demo/a', {}, { signal })).rejects.toThrow('stop');
    const wrong = createProvider({ kind, url, token: 'other', username: usernames[kind] });
    await expect(wrong.probeToken()).rejects.toThrow(ProviderAuthenticationError);
    emulator.api.failNext({ status: 200, body: 'a page', headers: { 'content-type': 'text/html' } });
    await expect(provider.listBranches('demo/a')).rejects.toThrow(/not a list|not an object/);
    await close();
    await expect(provider.probeToken()).rejects.toThrow(ProviderUnavailableError);
  });
});

describe('what a kind is known by', () => {
  it('proves webhooks by the way of each provider', () => {
    const body = Buffer.from('{"ref":"refs/heads/main"}');
    const hex = createHmac('sha256', 's').update(body).digest('hex');
    const proofs: [Kind, string, string][] = [
      ['github', 'x-hub-signature-256', `sha256=${hex}`],
      ['gitea', 'x-gitea-signature', hex],
      ['gitlab', 'x-gitlab-token', 's'],
      ['bitbucket', 'x-hub-signature', `sha256=${hex}`],
    ];
    for (const [kind, header, proof] of proofs) {
      const of = createProvider({ kind, url: 'https://host', token });
      expect(of.verifyWebhook({ headers: { [header]: proof }, body }, 's')).toBe(true);
      expect(of.verifyWebhook({ headers: { [header]: proof }, body }, 'other')).toBe(false);
      expect(of.verifyWebhook({ headers: { [header]: '' }, body }, '')).toBe(false);
      expect(of.verifyWebhook({ headers: {}, body }, 's')).toBe(false);
    }
  });

  it('speaks to the API that belongs to an address', async () => {
    const github = createProvider({ kind: 'github', url: 'https://github.com/', token });
    expect(github.avatarUrl('ana')).toBe('https://github.com/ana.png');
    expect(github.commitUrl('demo/a', sha)).toBe(`https://github.com/demo/a/commit/${sha}`);
    expect(() => createProvider({ kind: 'gerrit', url: 'https://host', token })).toThrow('user name');
  });

  it('refuses by name what a provider cannot', async () => {
    const merge = { repository: 'demo/a', number: 1, method: 'rebase' } as const;
    for (const kind of ['gitlab', 'gerrit'] as const) {
      const of = createProvider({ kind, url: 'https://host', token, username: 'ana' });
      await expect(of.mergePullRequest(merge)).rejects.toThrow(ProviderUnsupportedError);
    }
  });

  it('knows user names for git, scopes that suffice, and the repository of an address', () => {
    expect(gitUsernameOf({ kind: 'bitbucket', username: 'ana@example.com' })).toBe('x-bitbucket-api-token-auth');
    expect(gitUsernameOf({ kind: 'bitbucket' })).toBe('x-token-auth');
    expect(gitUsernameOf({ kind: 'gitlab' })).toBe('oauth2');
    expect(gitUsernameOf({ kind: 'gerrit', username: 'ana' })).toBe('ana');
    expect(scopesLacking('github', ['read:org'])).toEqual(['repo']);
    expect(scopesLacking('gitlab', ['read_api'])).toEqual(['write_repository']);
    expect(scopesLacking('gitlab', ['api'])).toEqual([]);
    expect(scopesLacking('bitbucket', ['read:user:bitbucket'])).toEqual(['write:repository:bitbucket']);
    expect(scopesLacking('gitea', [])).toEqual([]);
    expect(repositoryNameOf('gitlab', 'https://host/g/s/r.git')).toBe('g/s/r');
    expect(repositoryNameOf('gerrit', 'https://host/a/o/r.git')).toBe('o/r');
  });
});

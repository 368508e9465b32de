import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen, silentLogger } from '@fairlead/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GitCommits } from '../commit/index.ts';
import { GitMirrors } from '../mirror/index.ts';
import { GitServer } from '../server/index.ts';
import {
  BuiltinProvider,
  ProviderAuthenticationError,
  ProviderNotFoundError,
  ProviderRefusedError,
  ProviderUnsupportedError,
} from './index.ts';

const apiKey = 'the-key';
let dir: string;
let url: string;
let close: () => Promise<void>;
let provider: BuiltinProvider;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-provider-'));
  const server = new GitServer({ dir: join(dir, 'server'), apiKey, log: silentLogger, publicUrl: () => url });
  await server.prepare();
  const socket = await listen(server.http, { port: 0 });
  url = `http://127.0.0.1:${socket.port}`;
  close = async () => {
    await socket.close();
    await server.stop();
  };
  provider = new BuiltinProvider({ url, apiKey, user: 'ana' });
});
afterAll(async () => {
  await close();
  await rm(dir, { recursive: true, force: true });
});

describe('BuiltinProvider', () => {
  it('makes a repository that takes its first commit, and shows its branches', async () => {
    const made = await provider.createRepository({ organisation: 'demo', name: 'config' });
    expect(made).toMatchObject({ fullName: 'demo/config', cloneUrl: `${url}/demo/config.git`, defaultBranch: 'main' });
    expect((await provider.listBranches('demo/config')).items).toEqual([]);
    const mirrors = new GitMirrors({ dir: join(dir, 'mirrors') });
    const author = { name: 'Ana', email: 'ana@example.com' };
    const changes = [{ path: 'a.yaml', content: 'a: 1\n' }];
    const wanted = { url: made.cloneUrl, branch: 'main', changes, message: 'first', author };
    const { commit } = await new GitCommits({ mirrors }).commitFiles(wanted, { credentials: { password: apiKey } });
    mirrors.stop();
    expect((await provider.listBranches('demo/config')).items).toEqual([{ name: 'main', commit, protected: false }]);
    expect(await provider.permissionOf('demo/config', 'bob')).toBe('admin');
    const again = provider.createRepository({ organisation: 'demo', name: 'config' });
    await expect(again).rejects.toThrow('demo/config already exists');
  });

  it('lists organisations and repositories page by page', async () => {
    for (const name of ['a', 'b', 'c']) await provider.createRepository({ organisation: 'paged', name });
    await provider.createRepository({ organisation: 'other', name: 'a' });
    const organisations = (await provider.listOrganisations()).map(({ name }) => name);
    expect(organisations).toEqual(expect.arrayContaining(['other', 'paged']));
    const first = await provider.listRepositories({ organisation: 'paged' }, { limit: 2 });
    expect(first.items.map(({ fullName }) => fullName)).toEqual(['paged/a', 'paged/b']);
    const rest = await provider.listRepositories({ organisation: 'paged' }, { limit: 2, cursor: first.nextCursor });
    expect(rest.items.map(({ fullName }) => fullName)).toEqual(['paged/c']);
    expect(rest.nextCursor).toBeUndefined();
    expect((await provider.listRepositories({ search: 'OTHER' })).items).toHaveLength(1);
  });

  it('refuses wrong keys, wrong names and what is not there', async () => {
    expect(await provider.probeToken()).toEqual({ user: 'ana' });
    const stranger = new BuiltinProvider({ url, apiKey: 'wrong' });
    await expect(stranger.listOrganisations()).rejects.toThrow(ProviderAuthenticationError);
    for (const name of ['..', '.fairlead', 'a/b', 'x.git', ''])
      await expect(provider.createRepository({ organisation: 'demo', name })).rejects.toThrow(ProviderRefusedError);
    await expect(provider.listBranches('demo/none')).rejects.toThrow(ProviderNotFoundError);
    await expect(provider.permissionOf('demo/none', 'ana')).rejects.toThrow(ProviderNotFoundError);
    await expect(provider.createWebhook()).rejects.toThrow(ProviderUnsupportedError);
  });
});

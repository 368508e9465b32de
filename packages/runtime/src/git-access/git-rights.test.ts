// S-AZ-3 as a table, against an emulated provider over real sockets with a real git server behind it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRegistry, FakeClock, listen, type Registry, silentLogger } from '@fairlead/base';
import { GitServer, type ServedProvider, serveProvider } from '@fairlead/git';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GitRights } from './git-rights.ts';
import type { UsableToken } from './git-tokens.ts';

const minutes = (count: number) => count * 60_000;
const ada = { sub: 'u_ada', name: 'ada' };
const { signal } = new AbortController();

let dir: string;
let git: { url: string; apiKey: string };
let stopGit: () => Promise<unknown>;
let provider: ServedProvider;
let isUp = true;
let clock: FakeClock;
let registry: Registry;
let rights: GitRights;
let token: UsableToken | undefined;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-rights-'));
  const server = new GitServer({ dir, apiKey: 'behind', log: silentLogger, publicUrl: () => git.url });
  await server.prepare();
  const { port, close } = await listen(server.http, { port: 0 });
  git = { url: `http://127.0.0.1:${port}`, apiKey: 'behind' };
  stopGit = async () => {
    await close(0);
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  };
});
afterAll(() => stopGit?.());

beforeEach(async () => {
  provider = await serveProvider('github', { token: 'ada-token', git });
  isUp = true;
  for (const name of ['demo/app', 'demo/renamed']) provider.host.create(name);
  clock = new FakeClock();
  registry = createRegistry('test');
  token = {
    ...{ host: new URL(provider.url).host, url: provider.url, provider: 'github' },
    ...{ token: 'ada-token', addedAt: '2026-01-01' },
  };
  const tokens = { find: () => Promise.resolve(token) };
  rights = new GitRights({ tokens, registry, clock, log: silentLogger });
});
afterEach(() => goDown());

const goDown = async (): Promise<void> => {
  if (isUp) await provider.close();
  isUp = false;
};
const may = (wanted: 'read' | 'write', repository = 'demo/app'): Promise<boolean> =>
  rights.may(ada, { repoURL: `${provider.url}/${repository}.git`, wanted }, { signal });
const readable = async (repositories = [`${provider.url}/demo/app.git`], maxAgeMs?: number) =>
  (await rights.readable(ada, { repositories, maxAgeMs }, { signal })).map(({ read, ageMs, silent }) => [
    read,
    ageMs,
    silent,
  ]);
const both = async () => [await may('read'), await may('write')];
const answer = (service: 'upload' | 'receive', status: number, headers: Record<string, string> = {}) =>
  provider.gitAnswers.set(`git-${service}-pack demo/app`, { status, headers });

describe('Git rights', () => {
  it.each([
    ['may push', (): void => undefined, [true, true]],
    ['may only read (403 to a push)', () => answer('receive', 403), [true, false]],
    ['may only read (401 to a push)', () => answer('receive', 401), [true, false]],
    ['may not know of it (404)', () => answer('upload', 404), [false, false]],
    ['may not enter (403)', () => answer('upload', 403), [false, false]],
    ['has a token that was revoked (401)', () => answer('upload', 401), [false, false]],
    ['is sent to a page for people', () => answer('upload', 200, { 'content-type': 'text/html' }), [false, false]],
    [
      'is sent to another place',
      () => answer('upload', 301, { location: 'https://elsewhere.example/x' }),
      [false, false],
    ],
    ['is sent round in circles', () => answer('upload', 302, { location: '' }), [false, false]],
    ['is asked to wait and was never seen (429)', () => answer('upload', 429, { 'retry-after': '30' }), [false, false]],
    ['meets a limit that says 403', () => answer('upload', 403, { 'retry-after': '30' }), [false, false]],
    ['meets a server in trouble (503)', () => answer('upload', 503), [false, false]],
  ] as const)('of who %s', async (_, given, expected) => {
    given();
    expect(await both()).toEqual(expected);
    expect((await readable())[0]?.[0]).toBe(expected[0]);
  });

  it('follow a repository that was renamed, within its server', async () => {
    const to = (service: string) => ({
      location: `${provider.url}/demo/renamed.git/info/refs?service=git-${service}-pack`,
    });
    answer('upload', 301, to('upload'));
    answer('receive', 301, to('receive'));
    expect(await both()).toEqual([true, true]);
  });

  it('that were revoked end within 5 minutes, and come back within 1', async () => {
    expect(await both()).toEqual([true, true]);
    answer('upload', 404);
    clock.advance(minutes(5) - 1);
    expect(await both()).toEqual([true, true]);
    clock.advance(1);
    expect(await both()).toEqual([false, false]);
    provider.gitAnswers.clear();
    clock.advance(minutes(1) - 1);
    expect(await both()).toEqual([false, false]);
    clock.advance(1);
    expect(await both()).toEqual([true, true]);
  });

  it('to push come within 1 minute to who could only read', async () => {
    answer('receive', 403);
    expect(await both()).toEqual([true, false]);
    provider.gitAnswers.clear();
    clock.advance(minutes(1));
    expect(await both()).toEqual([true, true]);
  });

  it.each([
    ['is down', goDown],
    ['asks to wait', async () => void answer('upload', 429)],
    ['is in trouble', async () => void answer('upload', 502)],
  ])('last, while the server %s, for 15 minutes to read and not at all to write', async (_, trouble) => {
    expect(await both()).toEqual([true, true]);
    await trouble();
    clock.advance(minutes(5));
    expect(await both()).toEqual([true, false]);
    clock.advance(minutes(10) - 1);
    expect(await both()).toEqual([true, false]);
    clock.advance(1);
    expect(await both()).toEqual([false, false]);
    expect(await registry.metrics()).toMatch(/git_rights_total\{answer="silent"[^}]*\} 6/);
  });

  it('to read are told of many repositories at once, with their age and whether the server was silent', async () => {
    const url = `${provider.url}/demo/app.git`;
    const elsewhere = ['https://127.0.0.1:1/demo/app.git', 'git@git.example:demo/app.git', 'no address'];
    const no = [false, 0, false];
    expect(await readable([url, `${provider.url}/demo/none.git`, ...elsewhere])).toEqual([
      [true, 0, false],
      ...Array(4).fill(no),
    ]);
    clock.advance(minutes(4));
    expect(await readable()).toEqual([[true, minutes(4), false]]);
    expect(await readable([url], minutes(3))).toEqual([[true, 0, false]]);
    answer('upload', 429);
    clock.advance(minutes(4));
    expect(await readable([url], minutes(3))).toEqual([[true, minutes(4), true]]);
    clock.advance(minutes(11));
    expect(await readable()).toEqual([[false, minutes(15), true]]);
    token = undefined;
    expect(await readable()).toEqual([no]);
  });

  it('need a token, of that very place, and are asked anew for a new one', async () => {
    answer('upload', 401);
    expect(await may('read')).toBe(false);
    const revoked = token as UsableToken;
    provider.gitAnswers.clear();
    token = { ...revoked, addedAt: '2026-02-02' };
    expect(await may('read')).toBe(true);
    token = { ...revoked, url: 'https://127.0.0.1:1' };
    expect(await may('read')).toBe(false);
    token = undefined;
    await expect(may('read')).rejects.toMatchObject({ code: 'git_token_missing' });
  });

  it('are asked for once by many who ask at once', async () => {
    let asked = 0;
    const { get } = provider.gitAnswers;
    provider.gitAnswers.get = (key: string) => {
      asked++;
      return get.call(provider.gitAnswers, key);
    };
    expect(await Promise.all(Array.from({ length: 20 }, () => may('write')))).toEqual(Array(20).fill(true));
    expect(asked).toBe(2);
  });

  it('keep the token out of every message', async () => {
    await goDown();
    const said: unknown[] = [];
    const log = { ...silentLogger, warn: (...words: unknown[]) => void said.push(words) } as typeof silentLogger;
    const tokens = { find: () => Promise.resolve(token) };
    const loud = new GitRights({ tokens, registry: createRegistry('loud'), clock, log });
    await loud.may(ada, { repoURL: `${provider.url}/demo/app.git`, wanted: 'read' }, { signal });
    expect(said).toHaveLength(1);
    expect(JSON.stringify(said)).not.toContain('ada-token');
  });
});

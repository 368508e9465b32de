// What one credential was answered is no answer to another, also when both ask at the same moment.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen, silentLogger } from '@fairlead/base';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GitServer } from '../server/index.ts';
import { WorkingCopy } from '../testing.ts';
import { AuthenticationRefusedError, GitMirrors } from './index.ts';

const key = 'the-key';
let dir: string;
let origin: string;
let mirrors: GitMirrors;
let stop: () => Promise<void>;
const right = { username: 'a', password: key };
const wrong = { username: 'b', password: 'not-the-key' };

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-credentials-'));
  const server = new GitServer({ dir: join(dir, 'server'), apiKey: key, log: silentLogger, publicUrl: () => origin });
  await server.prepare();
  const socket = await listen(server.http, { port: 0 });
  origin = `http://127.0.0.1:${socket.port}`;
  const work = await WorkingCopy.init(join(dir, 'work'));
  await work.write({ 'a.yaml': 'one' });
  await work.commit('first');
  await work.git('push', '--quiet', `http://a:${key}@127.0.0.1:${socket.port}/demo/secret.git`, 'HEAD:main');
  mirrors = new GitMirrors({ dir: join(dir, 'mirrors') });
  stop = async () => {
    mirrors.stop();
    await socket.close();
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  };
});
afterAll(() => stop());

it('refuses a wrong credential while a right one reads, and after it has read', async () => {
  const url = `${origin}/demo/secret.git`;
  const asked = await Promise.allSettled([
    mirrors.fetch(url, { credentials: right }),
    mirrors.fetch(url, { credentials: wrong }),
    mirrors.resolve(url, 'main', { credentials: right }),
    mirrors.resolve(url, 'main', { credentials: wrong }),
    mirrors.resolve(url, 'main', { credentials: { ...right, username: 'c' } }),
  ]);
  expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled']);
  const before = performance.now() - 60_000;
  const late = { credentials: wrong, asOfMs: before };
  await expect(mirrors.resolve(url, 'main', late)).rejects.toBeInstanceOf(AuthenticationRefusedError);
});

import { createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Lifecycle, listen, silentLogger } from '@fairlead/base';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { GitMirrors } from '../mirror/index.ts';
import { gitServerRole } from '../roles/git-server.ts';
import { WorkingCopy } from '../testing.ts';
import { readWebhook } from '../webhook/index.ts';

interface Received {
  readonly event: unknown;
  readonly signature: unknown;
  readonly text: string;
}

const key = 'the-api-key';
const received: Received[] = [];
let failNext = 0;
let dir: string;
let url: string;
const lifecycle = new Lifecycle(silentLogger);

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-git-server-'));
  await writeFile(join(dir, 'key'), `${key}\n`);
  await writeFile(join(dir, 'secret'), 's3cret');
  const sink = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (failNext-- > 0) return response.writeHead(500).end();
      const { 'x-github-event': event, 'x-hub-signature-256': signature } = request.headers;
      received.push({ event, signature, text: Buffer.concat(chunks).toString('utf8') });
      return response.end();
    });
  });
  const socket = await listen(sink, { port: 0 });
  lifecycle.onStop('sink', () => socket.close());
  const started = await gitServerRole.start(
    {
      gitPort: 0,
      gitHost: '127.0.0.1',
      gitDir: join(dir, 'repositories'),
      apiKeyFile: join(dir, 'key'),
      gitWebhookUrls: `http://127.0.0.1:${socket.port}/hook`,
      gitWebhookSecretFile: join(dir, 'secret'),
      gitPublicUrl: undefined,
    },
    { log: silentLogger, lifecycle },
  );
  url = started.url ?? '';
});
afterAll(async () => {
  await lifecycle.stop();
  await rm(dir, { recursive: true, force: true });
});

const authorized = { authorization: `Basic ${Buffer.from(`x:${key}`).toString('base64')}` };
const withKey = () => url.replace('//', `//anyone:${key}@`);
const nextPush = async (count: number) => {
  await vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(count), { timeout: 30_000 });
  return received[count - 1] as Received;
};

describe('the git server', () => {
  it('refuses reading and pushing without the key', async () => {
    const paths = [
      '/demo/app.git/info/refs?service=git-upload-pack',
      '/demo/app.git/info/refs?service=git-receive-pack',
    ];
    for (const path of paths) expect((await fetch(url + path)).status).toBe(401);
    const wrong = { authorization: `Basic ${Buffer.from('x:wrong').toString('base64')}` };
    expect((await fetch(url + paths[0], { headers: wrong })).status).toBe(401);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it.each([
    '/../../etc/passwd',
    '/demo/..%2f..%2fetc/info/refs',
    '/.fairlead/hooks.git/info/refs',
    '/demo/app.git/objects/info/packs',
    '/demo/app.git/HEAD',
    '/one.git/info/refs',
  ])('does not serve %s', async (path) => {
    expect((await fetch(url + path, { headers: authorized })).status).toBe(404);
  });

  it('makes a repository at the first push and tells the webhook exactly what moved', async () => {
    const work = await WorkingCopy.init(join(dir, 'work'));
    await work.write({ 'dev/app.yaml': 'a: 1', 'big.bin': randomBytes(3_000_000) });
    const first = await work.commit('first');
    await work.git('push', '--quiet', `${withKey()}/demo/app.git`, 'main');
    const { event, signature, text } = await nextPush(1);
    const headers = { 'x-github-event': String(event), 'x-hub-signature-256': String(signature) };
    const [push] = readWebhook({ headers, body: Buffer.from(text) }, undefined).pushes;
    expect(push).toEqual({
      repoUrls: [`${url}/demo/app.git`, `${url}/demo/app`],
      ref: 'refs/heads/main',
      before: '0'.repeat(40),
      after: first,
      defaultBranch: 'main',
      changedFiles: ['big.bin', 'dev/app.yaml'],
    });
    expect(event).toBe('push');
    expect(signature).toBe(`sha256=${createHmac('sha256', 's3cret').update(text).digest('hex')}`);

    await work.write({ 'dev/app.yaml': null, 'dev/new file.yaml': 'b' });
    await work.commit('second');
    failNext = 1;
    await work.git('push', '--quiet', `${withKey()}/demo/app.git`, 'main');
    const second = JSON.parse((await nextPush(2)).text);
    expect(second).toMatchObject({
      before: first,
      commits: [{ message: 'second', added: ['dev/new file.yaml'], removed: ['dev/app.yaml'], modified: [] }],
    });
  });

  it('gives mirrors what was pushed, with credentials given apart from the URL', async () => {
    const mirrors = new GitMirrors({ dir: join(dir, 'mirrors') });
    const credentials = { username: 'x', password: key };
    const commit = await mirrors.resolve(`${url}/demo/app.git`, 'HEAD', { credentials });
    const repository = await mirrors.repository(`${url}/demo/app.git`);
    expect((await repository.tree(commit, 'dev'))?.map((entry) => entry.name)).toEqual(['new file.yaml']);
    await expect(mirrors.resolve(`${url}/demo/none.git`, 'HEAD', { credentials })).rejects.toThrow('cannot be read');
    await expect(mirrors.resolve(`${url}/demo/app.git`, 'HEAD')).rejects.toThrow('none are configured');
    mirrors.stop();
  });

  it('takes the first branch as default when it is not main, and tells nothing when nothing moved', async () => {
    const work = await WorkingCopy.init(join(dir, 'trunk'));
    await work.git('checkout', '--quiet', '-b', 'trunk');
    await work.commit('only');
    const count = received.length;
    await work.git('push', '--quiet', `${withKey()}/demo/trunk`, 'trunk');
    expect(JSON.parse((await nextPush(count + 1)).text).repository.default_branch).toBe('trunk');
    await work.git('push', '--quiet', `${withKey()}/demo/trunk`, 'trunk');
    await work.git('push', '--quiet', `${withKey()}/demo/trunk`, 'trunk:other');
    expect(JSON.parse((await nextPush(count + 2)).text).ref).toBe('refs/heads/other');
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/fairlead_git_server_pushes_total\{[^}]*\} 4/);
    expect(metrics).not.toContain(key);
  });

  it('speaks the protocol in its older versions, and takes packed requests', async () => {
    const work = await WorkingCopy.init(join(dir, 'old'));
    const commit = await work.commit('only');
    for (const version of [0, 1]) {
      const ref = `HEAD:refs/heads/v${version}`;
      await work.git('-c', `protocol.version=${version}`, 'push', '--quiet', `${withKey()}/demo/old.git`, ref);
      const listed = await work.git('-c', `protocol.version=${version}`, 'ls-remote', `${withKey()}/demo/old.git`);
      expect(listed).toContain(`${commit}\trefs/heads/v${version}`);
    }
    const type = 'application/x-git-upload-pack-request';
    const headers = { ...authorized, 'content-type': type, 'content-encoding': 'gzip', 'git-protocol': 'version=2' };
    const body = gzipSync('0014command=ls-refs\n0000');
    const answer = await fetch(`${url}/demo/old.git/git-upload-pack`, { method: 'POST', headers, body });
    expect(answer.headers.get('content-type')).toBe('application/x-git-upload-pack-result');
    expect(await answer.text()).toContain(`${commit} refs/heads/v1`);
  });

  it('refuses what is not the smart protocol, and tells when git cannot serve', async () => {
    const status = async (path: string, init: RequestInit = {}) =>
      (await fetch(`${url}/demo/old.git${path}`, { ...init, headers: { ...authorized, ...init.headers } })).status;
    const headers = { 'content-type': 'application/x-git-upload-pack-request' };
    expect(await status('/info/refs')).toBe(403);
    expect(await status('/info/refs?service=git-archive')).toBe(403);
    expect(await status('/git-upload-pack', { headers })).toBe(405);
    expect(await status('/git-upload-pack', { method: 'POST' })).toBe(415);
    expect(await status('/git-upload-pack', { method: 'POST', headers, body: 'no packet' })).toBe(500);
  });
});

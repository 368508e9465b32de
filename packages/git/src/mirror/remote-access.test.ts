// Whom a mirror believes and what it proves, with real certificates, a real proxy and real files.
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { listen, silentLogger } from '@fairlead/base';
import { selfSigned } from '@fairlead/base/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { GitServer } from '../server/index.ts';
import { WorkingCopy } from '../testing.ts';
import { parseRepositoryUrl } from '../url/index.ts';
import {
  AuthenticationRefusedError,
  credentialsOfSecret,
  GitMirrors,
  HostNotTrustedError,
  hasIdentity,
  type RemoteTrust,
  trustOfConfigMaps,
} from './index.ts';
import { accessFiles, type GitCredentials, remoteRules } from './remote-access.ts';

const key = 'the-key';
const closers: (() => unknown)[] = [];
const password = { username: 'a', password: key };
let dir: string;
let plain: string;
let head: string;
let authority: string;
let certificate: { key: string; cert: string };
let proxied = 0;
const temporary = process.env['TMPDIR'];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-access-'));
  await mkdir(join(dir, 'files of git'));
  process.env['TMPDIR'] = join(dir, 'files of git'); // others write to the machine's own at the same time
  const server = new GitServer({ dir: join(dir, 'server'), apiKey: key, log: silentLogger, publicUrl: () => plain });
  await server.prepare();
  const socket = await listen(server.http, { port: 0 });
  plain = `http://127.0.0.1:${socket.port}`;
  closers.push(
    () => socket.close(),
    () => server.stop(),
  );
  const work = await WorkingCopy.init(join(dir, 'work'));
  await work.write({ 'a.yaml': 'one' });
  head = await work.commit('first');
  await work.git('push', '--quiet', `http://a:${key}@127.0.0.1:${socket.port}/demo/app.git`, 'HEAD:main');
  certificate = await selfSigned({ altNames: 'DNS:localhost,IP:127.0.0.1' });
  authority = certificate.cert;
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
  if (temporary === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = temporary;
  await rm(dir, { recursive: true, force: true });
});

/** TLS in front of the git server. */
async function startTls(client?: string): Promise<string> {
  const demand = client === undefined ? {} : { requestCert: true, rejectUnauthorized: true, ca: client };
  const server = createTlsServer({ ...certificate, ...demand }, (incoming, response) => {
    const passed = request(
      `${plain}${incoming.url}`,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    incoming.pipe(passed);
  });
  const socket = await listen(server, { port: 0 });
  closers.push(() => socket.close(0));
  return `https://localhost:${socket.port}/demo/app.git`;
}

async function startProxy(): Promise<string> {
  const demand = 'Proxy-Authenticate: Basic realm="p"\r\nContent-Length: 0\r\nConnection: close';
  const server = createServer();
  const sockets = new Set<Socket>();
  server.on('connection', (client) => sockets.add(client));
  server.on('connect', (incoming, client, first) => {
    if (incoming.headers['proxy-authorization'] !== `Basic ${Buffer.from('p:w').toString('base64')}`) {
      client.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${demand}\r\n\r\n`);
      return;
    }
    proxied++;
    const upstream = connect(Number(incoming.url?.split(':')[1]), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(first);
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
  });
  const socket = await listen(server, { port: 0 });
  closers.push(() => {
    for (const client of sockets) client.destroy(); // a tunnel is no request that ends
    return socket.close(0);
  });
  return `http://p:w@127.0.0.1:${socket.port}`;
}

let count = 0;
function mirrorsWith(trust: RemoteTrust): GitMirrors {
  const mirrors = new GitMirrors({ dir: join(dir, `mirrors${++count}`), trust: () => trust });
  closers.push(() => mirrors.stop());
  return mirrors;
}

const leftovers = () => readdir(join(dir, 'files of git'));

describe('https', () => {
  it('believes an authority that was added for the host, and no other', async () => {
    const url = await startTls();
    const untrusting = mirrorsWith({ certificateAuthorities: { 'other.example': authority } });
    const refused = untrusting.resolve(url, 'main', { credentials: password });
    await expect(refused).rejects.toThrow(HostNotTrustedError);
    await expect(refused).rejects.toThrow('argocd-tls-certs-cm');
    const trusting = mirrorsWith({ certificateAuthorities: { localhost: authority } });
    expect(await trusting.resolve(url, 'main', { credentials: password })).toBe(head);
    const careless = { ...password, insecure: true };
    expect(await untrusting.resolve(url, 'main', { credentials: careless })).toBe(head);
  });

  it('proves itself by a client certificate, and leaves no key behind', async () => {
    const { cert: clientCertificate, key: clientKey } = await selfSigned({ name: 'client' });
    const url = await startTls(clientCertificate);
    const before = await leftovers();
    const mirrors = mirrorsWith({ certificateAuthorities: { localhost: authority } });
    await expect(mirrors.resolve(url, 'main', { credentials: password })).rejects.toThrow();
    const credentials = { ...password, clientCertificate, clientKey };
    expect(await mirrors.resolve(url, 'main', { credentials })).toBe(head);
    expect(await leftovers()).toEqual(before);
  });

  it('goes by the proxy of the repository, and keeps its password out of what it says', async () => {
    const url = await startTls();
    const proxy = await startProxy();
    const mirrors = mirrorsWith({ certificateAuthorities: { localhost: authority } });
    expect(await mirrors.resolve(url, 'main', { credentials: { ...password, proxy } })).toBe(head);
    expect(proxied).toBeGreaterThan(0);
    const wrong = { ...password, proxy: proxy.replace('p:w', 'p:geheim') };
    const error = await mirrors.resolve(url, 'main', { credentials: wrong }).catch(String);
    expect(error).toContain('cannot be read');
    expect(error).not.toContain('geheim');
  });
});

describe('ssh', () => {
  const path = process.env['PATH'];
  afterEach(() => {
    process.env['PATH'] = path;
  });

  /** Stands for the ssh program: writes down how it was called and runs the command here. */
  async function startSsh(): Promise<string> {
    const bin = join(dir, 'bin');
    const called = join(dir, 'called');
    await mkdir(bin, { recursive: true });
    const script = `#!/bin/sh
for argument; do
  case "$argument" in
    -oIdentityFile=*|-oUserKnownHostsFile=*) file="\${argument#*=}"; file="\${file#\\"}"; file="\${file%\\"}"
      test "$file" = /dev/null || { stat -c %a "$file"; cat "$file"; } >> "${called}.files";;
  esac
  echo "$argument" >> "${called}"
  last="$argument"
done
cd "${join(dir, 'server')}" && eval "$(echo "$last" | sed "s#'/#'./#")"
`;
    await writeFile(join(bin, 'ssh'), script);
    await chmod(join(bin, 'ssh'), 0o755);
    process.env['PATH'] = `${bin}${delimiter}${path}`;
    return called;
  }

  it('is given key and known hosts as files that only we can read, and is strict', async () => {
    const called = await startSsh();
    const before = await leftovers();
    const mirrors = mirrorsWith({ knownHosts: 'host ssh-ed25519 AAAA\n' });
    const credentials = { sshPrivateKey: '-----BEGIN KEY-----\r\nsecret\r\n-----END KEY-----' };
    expect(await mirrors.resolve('git@host:/demo/app.git', 'main', { credentials })).toBe(head);
    const options = await readFile(called, 'utf8');
    expect(options).toMatch(/^-oStrictHostKeyChecking=yes$/m);
    expect(options).toMatch(/^-oGlobalKnownHostsFile=\/dev\/null$/m);
    expect(options).toMatch(/^-oIdentitiesOnly=yes$/m);
    expect(options).not.toContain('secret');
    const files = await readFile(`${called}.files`, 'utf8');
    expect(files).toContain('600\nhost ssh-ed25519 AAAA\n');
    expect(files).toContain('600\n-----BEGIN KEY-----\nsecret\n-----END KEY-----\n');
    expect(await leftovers()).toEqual(before);
  });

  it('says that a host is not known, and that a key was not taken', async () => {
    await startSsh();
    const answer = async (text: string) => {
      await writeFile(join(dir, 'bin', 'ssh'), `#!/bin/sh\necho "${text}" >&2\nexit 255\n`);
      return mirrorsWith({}).resolve('ssh://git@host/demo/app.git', 'main', { credentials: { sshPrivateKey: 'k' } });
    };
    const unknown = answer(
      'No ED25519 host key is known for host and you have requested strict checking.\nHost key verification failed.',
    );
    await expect(unknown).rejects.toThrow(HostNotTrustedError);
    await expect(unknown).rejects.toThrow('argocd-ssh-known-hosts-cm');
    await expect(answer('git@host: Permission denied (publickey).')).rejects.toThrow(AuthenticationRefusedError);
  });

  it('is lax only on request', () => {
    const remote = parseRepositoryUrl('git@host:a/b');
    const command = (credentials: GitCredentials) => remoteRules(remote, { credentials }).env['GIT_SSH_COMMAND'];
    expect(command({})).toContain("'-oStrictHostKeyChecking=yes'");
    expect(command({ insecure: true })).toContain("'-oStrictHostKeyChecking=no'");
    expect(accessFiles(remote, { insecure: true }, { knownHosts: 'x' })).toEqual({});
  });
});

it('refuses credentials that would be more than one line to git', () => {
  const remote = parseRepositoryUrl('https://host/a/b');
  for (const credentials of [
    { password: 'a\nb' },
    { bearerToken: 'a\r\nb' },
    { username: 'a\0' },
    { proxy: 'http://a\nb' },
  ])
    expect(() => remoteRules(remote, { credentials })).toThrow('line breaks');
});

it('reads the shapes of Argo CD', () => {
  const secret: Record<string, string> = { sshPrivateKey: 'k', insecureIgnoreHostKey: 'true', tlsClientCertKey: 'c' };
  const credentials = credentialsOfSecret((name) => secret[name]);
  expect(credentials).toMatchObject({ sshPrivateKey: 'k', insecure: true, clientKey: 'c' });
  expect(hasIdentity(credentials)).toBe(true);
  expect(hasIdentity(credentialsOfSecret((name) => ({ proxy: 'http://p' })[name]))).toBe(false);
  const trust = trustOfConfigMaps({ knownHosts: { ssh_known_hosts: 'lines' }, certificates: { 'git.example': 'pem' } });
  expect(trust).toEqual({ knownHosts: 'lines', certificateAuthorities: { 'git.example': 'pem' } });
  const remote = parseRepositoryUrl('https://git.example:8443/a/b');
  expect(accessFiles(remote, {}, trust)).toEqual({ authorities: 'pem' });
  expect(accessFiles(parseRepositoryUrl('https://constructor/a'), {}, trust)).toEqual({});
});

import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen, readConfig } from '@fairlead/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkConnectionPlace, connectionOf, connectionSettings } from './connection-settings.ts';
import { CredentialError } from './credentials.ts';
import { KubeClient } from './kube-client.ts';
import { loadKubeconfig } from './kubeconfig.ts';

let dir: string;
const closing: (() => Promise<void>)[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fairlead-credentials-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(dir, { recursive: true, force: true });
});

/** A server that tells what it was told; `isAllowed` decides between 200 and 401. */
async function startServer(isAllowed: (request: IncomingMessage) => boolean = () => true): Promise<number> {
  const server = createServer((request, response) => {
    response.statusCode = isAllowed(request) ? 200 : 401;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ authorization: request.headers.authorization ?? '' }));
  });
  const { port, close } = await listen(server, { host: '127.0.0.1', port: 0 });
  closing.push(() => close(100));
  return port;
}

const kubeconfig = (server: string, user: object, cluster: object = {}) =>
  JSON.stringify(
    {
      apiVersion: 'v1',
      clusters: [{ name: 'c', cluster: { server, ...cluster } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    },
    null,
    1,
  );

async function clientFor(text: string): Promise<KubeClient> {
  const client = new KubeClient(await loadKubeconfig(text));
  closing.push(() => client.close());
  return client;
}

const ask = (client: KubeClient) => client.raw({ method: 'GET', path: '/who' });

async function plugin(lines: string): Promise<object> {
  const file = join(dir, 'plugin.sh');
  await writeFile(file, `#!/bin/sh\n${lines}\n`);
  await chmod(file, 0o700);
  return { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: file, env: [{ name: 'DIR', value: dir }] } };
}

const credential = (token: string) =>
  `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"${token}"}}'`;

describe('a kubeconfig whose user is a program', () => {
  it('asks it once and uses what it gives out', async () => {
    const port = await startServer();
    const user = await plugin(`echo asked >> "$DIR/asked"\n${credential('from-plugin')}`);
    const client = await clientFor(kubeconfig(`http://127.0.0.1:${port}`, user));
    expect(await Promise.all([ask(client), ask(client)])).toEqual(
      Array.from({ length: 2 }, () => ({ authorization: 'Bearer from-plugin' })),
    );
    expect(await readFile(join(dir, 'asked'), 'utf8')).toBe('asked\n');
  });

  it('asks again when the server no longer takes it', async () => {
    const port = await startServer(({ headers }) => headers.authorization === 'Bearer t-2');
    const count = 'echo x >> "$DIR/asked"; N=$(wc -l < "$DIR/asked" | tr -d " ")';
    const answer = `printf '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t-%s"}}' "$N"`;
    const client = await clientFor(kubeconfig(`http://127.0.0.1:${port}`, await plugin(`${count}\n${answer}`)));
    expect(await ask(client)).toEqual({ authorization: 'Bearer t-2' });
  });

  it('says which program failed, and nothing of what it printed', async () => {
    const port = await startServer();
    const client = await clientFor(kubeconfig(`http://127.0.0.1:${port}`, await plugin('echo secret-thing')));
    const failure = await ask(client).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CredentialError);
    expect(String(failure)).toContain('plugin.sh printed no JSON');
    expect(String(failure)).not.toContain('secret-thing');
  });
});

describe('other ways to a cluster', () => {
  it('goes through the proxy that the kubeconfig names', async () => {
    const port = await startServer();
    const asked: string[] = [];
    const proxy = createServer();
    proxy.on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      const upstream = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      upstream.on('error', () => socket.destroy());
      socket.on('error', () => upstream.destroy());
    });
    const { port: proxyPort, close } = await listen(proxy, { host: '127.0.0.1', port: 0 });
    closing.push(() => close(100));
    const text = kubeconfig(
      'http://cluster.invalid:80',
      { token: 't' },
      { 'proxy-url': `http://127.0.0.1:${proxyPort}` },
    );
    expect(await ask(await clientFor(text))).toEqual({ authorization: 'Bearer t' });
    expect(asked).toEqual(['cluster.invalid:80']);
  });

  it('reads a token that was rotated for every request that the old one was refused to, also when they met', async () => {
    let current = 'first';
    const port = await startServer(({ headers }) => headers.authorization === `Bearer ${current}`);
    const tokenFile = join(dir, 'token');
    await writeFile(tokenFile, current);
    const client = await clientFor(kubeconfig(`http://127.0.0.1:${port}`, { tokenFile }));
    expect(await ask(client)).toEqual({ authorization: 'Bearer first' });
    current = 'second';
    await writeFile(tokenFile, current);
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(client)));
    expect(answers).toEqual(Array.from({ length: 8 }, () => ({ authorization: 'Bearer second' })));
  });

  it('reads what every pod is given', async () => {
    for (const [name, text] of Object.entries({ 'ca.crt': 'CA', namespace: 'team\n', token: 't' })) {
      await writeFile(join(dir, name), text);
    }
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    const place = readConfig(connectionSettings, { flags: ['--service-account-dir', dir], env });
    checkConnectionPlace(place);
    expect(await connectionOf(place)).toEqual({
      server: 'https://[fd00::1]:443',
      ca: 'CA',
      tokenFile: join(dir, 'token'),
      namespace: 'team',
    });
  });

  it('refuses to start with neither a kubeconfig nor a service account, and names both', () => {
    const check = (...flags: string[]) => checkConnectionPlace(readConfig(connectionSettings, { flags, env: {} }));
    const nowhere = join(dir, 'nowhere');
    const refused = () => check('--service-account-dir', nowhere);
    expect(refused).toThrow('--kubeconfig-file (or FAIRLEAD_KUBECONFIG_FILE)');
    expect(refused).toThrow(`KUBERNETES_SERVICE_HOST is not set`);
    expect(refused).toThrow(`${join(nowhere, 'token')} is not there`);
    expect(() => check('--kubeconfig-context', 'prod')).toThrow('there is no --kubeconfig-file');
    check('--kubeconfig-file', nowhere); // it may come
  });
});

// S-TU-6, the other half: whoever can speak to the app-proxy without the platform's word for exactly this act, on exactly
// this object, of exactly this runtime, gets nothing: no route touches engine, cluster or Git before that word is checked.
import { createSecretKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRegistry, listen, silentLogger, systemClock } from '@fairlead/base';
import {
  type AppProxyRoute,
  appProxyRoutes,
  assertedObject,
  assertionHeader,
  assertionIssuer,
  fillPath,
  type RuntimeIdentity,
  runtimeComponents,
} from '@fairlead/contracts';
import { GitMirrors } from '@fairlead/git';
import type { KubeClient } from '@fairlead/kube';
import { base64url, type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ArgoCdClient } from '../argo-cd/index.ts';
import { ComponentLogs } from '../component-logs/index.ts';
import { GitAccess, GitHosting, GitTokens, Sealing } from '../git-access/index.ts';
import { ManagedClusters } from '../managed-clusters/index.ts';
import { ChangePlans } from '../plan/index.ts';
import { ConnectConfiguration, RepositoryCredentials, SharedConfig } from '../shared-config/index.ts';
import { SourceClient } from '../source-server/index.ts';
import { AssertionVerifier, createAppProxy, GitJudgement, Judge } from './index.ts';

const stops: (() => unknown)[] = [];
let touched = 0;
let url = '';
let identity: RuntimeIdentity;
/** What the watch has seen, when that is older. */
let known: RuntimeIdentity | undefined;
let platformKey: CryptoKey;
let strangerKey: CryptoKey;

beforeAll(async () => {
  const own = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const stranger = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  platformKey = own.privateKey;
  strangerKey = stranger.privateKey;
  const { x = '' } = await exportJWK(own.publicKey);
  const platformPublicKey = { kty: 'OKP', crv: 'Ed25519', x } as const;
  const names = { runtimeId: 'rt_1', runtimeName: 'r', accountId: 'acc_1', platformUrl: 'http://127.0.0.1:1' };
  identity = { ...names, platformPublicKey, privateKey: { ...platformPublicKey, d: '' } };
  const engineServer = createServer((_, response) => {
    touched++;
    response.end('{}');
  });
  const listening = await listen(engineServer, { port: 0 });
  stops.push(() => listening.close(0));
  const proxy = await listen(appProxy(`http://127.0.0.1:${listening.port}`), { port: 0 });
  stops.push(() => proxy.close(0));
  url = `http://127.0.0.1:${proxy.port}`;
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

function appProxy(engineUrl: string) {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-strangers-'));
  stops.push(() => rmSync(dir, { recursive: true, force: true }));
  const cluster = (): KubeClient => {
    touched++;
    throw new Error('the cluster was touched');
  };
  const place = () => Promise.resolve({ url: engineUrl });
  const engine = new ArgoCdClient({ place, credentials: { tokenFile: '/dev/null' } });
  stops.push(() => engine.close());
  const gitTokens = new GitTokens({ cluster, namespace: 'fairlead', clock: systemClock });
  const mirrors = new GitMirrors({ dir, log: silentLogger, clock: systemClock });
  stops.push(() => mirrors.stop());
  const git = new GitAccess({ mirrors, tokens: gitTokens });
  const hosting = new GitHosting(gitTokens);
  const sharedConfig = new SharedConfig({ cluster, engine, git, namespace: 'argocd', log: silentLogger });
  const repositoryCredentials = new RepositoryCredentials({ cluster, namespace: 'argocd' });
  const sources = new SourceClient({
    url: engineUrl,
    key: () => Promise.reject(new Error(`the source server was touched (${touched++})`)),
  });
  const registry = createRegistry('strangers');
  const rules = {
    read: () => Promise.reject(new Error(`access rules were read (${touched++})`)),
  };
  const asked = () => Promise.reject(new Error(`a Git server was asked (${touched++})`));
  const gitRights = { may: asked, readable: asked };
  const judgement = new GitJudgement({ rights: gitRights, cluster, engineNamespace: 'argocd' });
  const places = { runtimeNamespace: 'fairlead', engineNamespace: 'argocd' };
  return createAppProxy({
    ...{ engine, cluster, git, gitTokens, gitRights, hosting, sharedConfig, runtimeNamespace: 'fairlead' },
    sealing: new Sealing({ cluster, namespace: 'fairlead' }),
    clusters: new ManagedClusters({ cluster, namespace: 'argocd' }),
    sources,
    changePlans: new ChangePlans({ engine, git, sources }),
    connectConfiguration: new ConnectConfiguration({ sharedConfig, git, hosting, repositoryCredentials }),
    componentLogs: new ComponentLogs({ ...places, dir, cluster, clock: systemClock }),
    verifier: new AssertionVerifier(),
    judge: new Judge({ rules, git: judgement, cluster, registry, log: silentLogger }),
    identity: () => known ?? identity,
    firstIdentity: async () => identity,
    refreshedIdentity: async () => identity,
    clock: systemClock,
    registry,
    log: silentLogger,
  });
}

interface Word {
  readonly key?: CryptoKey | Uint8Array;
  readonly alg?: string;
  readonly audience?: string;
  readonly issuer?: string;
  readonly account?: string;
  readonly act?: string;
  readonly on?: string;
  /** From now, in seconds. */
  readonly issued?: number;
  readonly lives?: number;
}

let requests = 0;
/** A value for every parameter that any route has. */
const params = Object.fromEntries(
  Object.values<AppProxyRoute>(appProxyRoutes)
    .flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)])
    .map(([, name = '']) => [name, name === 'component' ? runtimeComponents[0] : `a-${name.toLowerCase()}`]),
);

function sign(route: AppProxyRoute, word: Word): Promise<string> {
  const {
    key = platformKey,
    alg = 'EdDSA',
    audience = 'rt_1',
    issuer = assertionIssuer,
    issued = 0,
    lives = 60,
  } = word;
  const { account = 'acc_1', act = route.act, on = assertedObject(route, params) } = word;
  const now = Math.floor(Date.now() / 1000) + issued;
  return new SignJWT({ name: 'admin', role: 'admin', teams: [], account, act, on, requestId: `req_${requests++}` })
    .setProtectedHeader({ alg })
    .setSubject('user_1')
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + lives)
    .sign(key);
}

async function call(route: Pick<AppProxyRoute, 'method' | 'path'>, assertion?: string): Promise<number> {
  const answer = await fetch(`${url}${fillPath(route.path, params)}`, {
    method: route.method,
    headers: {
      'content-type': 'application/json',
      ...(assertion === undefined ? {} : { [assertionHeader]: assertion }),
    },
    ...(route.method === 'GET' ? {} : { body: '{}' }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

const routes = Object.entries<AppProxyRoute>(appProxyRoutes);

describe('every route of the app-proxy', () => {
  it.each(routes)('%s does nothing without the platform’s word for exactly that', async (_, route) => {
    const before = touched;
    expect(await call(route)).toBe(401);
    const unsigned = `${base64url.encode('{"alg":"none"}')}.${(await sign(route, {})).split('.')[1]}.`;
    expect(await call(route, unsigned)).toBe(401);
    const publicBytes = createSecretKey(Buffer.from(identity.platformPublicKey.x, 'base64url')).export();
    const untrusted: Word[] = [
      { key: strangerKey },
      { key: publicBytes, alg: 'HS256' },
      { audience: 'rt_2' },
      { issuer: 'somebody' },
      { issued: -600 },
      { issued: 600 },
      { issued: -200, lives: 3_600 },
    ];
    for (const word of untrusted)
      expect(`${await call(route, await sign(route, word))} ${JSON.stringify(word)}`).toMatch(/^401/);
    const elsewhere: Word[] = [{ account: 'acc_2' }, { act: `${route.act}x` }, { on: 'a-namespace/another' }];
    for (const word of elsewhere)
      expect(`${await call(route, await sign(route, word))} ${JSON.stringify(word)}`).toMatch(/^403/);
    expect(touched).toBe(before);
  });

  it('believes the word for a runtime that was registered anew a moment ago', async () => {
    known = { ...identity, runtimeId: 'rt_before' };
    try {
      const route: AppProxyRoute = appProxyRoutes.listGitTokens;
      expect(await call(route, await sign(route, {}))).not.toBe(401);
      expect(await call(route, await sign(route, { audience: 'rt_2' }))).toBe(401);
      expect(await call(route, await sign(route, { act: 'git-token.put' }))).toBe(403);
    } finally {
      known = undefined;
    }
  });

  it('is all there is: what is not in the table is not found, whoever asks', async () => {
    const [, route] = routes[0] ?? [];
    if (!route) throw new Error('there are no routes');
    const before = touched;
    const word = await sign(route, {});
    for (const path of ['/', '/app-proxy', '/app-proxy/api/v1', '/app-proxy/api/v1/exec', '/app-proxy/api/v2/plans']) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
        expect(`${method} ${path} ${await call({ method, path }, word)}`).toBe(`${method} ${path} 404`);
      }
    }
    expect(touched).toBe(before);
  });
});

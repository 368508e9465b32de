// A whole platform over real sockets, for tests.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, contentHash, Lifecycle, type Logger, silentLogger } from '@fairlead/base';
import {
  type ApiClient,
  type ApplicationReport,
  createApiClient,
  type ReportedObject,
  type ReportReceipt,
  type RuntimePublicKey,
  runtimeTokenAudience,
} from '@fairlead/contracts';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { platformRole } from './roles/platform.ts';
import { startTestServer, type TestServer } from './store/testing.ts';

export { openTestIngest, type TestIngest } from './ingest/testing.ts';
export { addAccount, type PastSize, type SeedSize, seedApplications, seedPast } from './seed.ts';
export { dumpDatabase, runSql, startTestServer } from './store/testing.ts';

export const adminKey = 'test-key-0123456789abcdef';

export interface TestPlatform {
  readonly url: string;
  readonly databaseUrl: string;
  readonly postgres: TestServer;
  /** As the admin, by API key. */
  readonly api: ApiClient;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startTestPlatform(
  settings: Partial<Config<typeof platformRole.settings>> = {},
  log: Logger = silentLogger,
): Promise<TestPlatform> {
  const postgres = await startTestServer();
  const databaseUrl = await postgres.createDatabase();
  const apiKeyFile = join(mkdtempSync(join(tmpdir(), 'fairlead-key-')), 'api-key');
  writeFileSync(apiKeyFile, `${adminKey}\n`);
  const start = async (platformPort: number) => {
    const lifecycle = new Lifecycle(log);
    const config = {
      platformPort,
      platformHost: '127.0.0.1',
      platformUrl: undefined,
      databaseUrl,
      apiKeyFile,
      platformKeyFile: undefined,
      webDir: undefined,
      historyDays: 90,
      deploymentDays: 400,
      runtimeNetworks: undefined,
      runtimeCaFile: undefined,
      versionFeed: undefined,
      databaseConnections: 8,
      requestsPerMinute: 120_000,
      reportsPerMinute: 120_000,
      ...settings,
    };
    const { url = '' } = await platformRole.start(config, { log, lifecycle });
    return { lifecycle, url: url.replace('localhost', '127.0.0.1') };
  };
  let running = await start(0);
  return {
    url: running.url,
    databaseUrl,
    postgres,
    api: createApiClient({ baseUrl: running.url, headers: () => ({ authorization: `Bearer ${adminKey}` }) }),
    async restart() {
      await running.lifecycle.stop();
      running = await start(Number(new URL(running.url).port));
    },
    async stop() {
      await running.lifecycle.stop();
      await postgres.stop();
    },
  };
}

export interface TestRuntime {
  readonly id: string;
  readonly name: string;
  readonly platformPublicKey: RuntimePublicKey;
  readonly api: ApiClient;
  /** One batch of reports. */
  report(objects: readonly unknown[], contents?: Readonly<Record<string, unknown>>): Promise<ReportReceipt>;
  token(claims?: Record<string, unknown>): Promise<string>;
}

/** A registered runtime that can sign its own tokens. */
export async function registerTestRuntime(
  platform: Pick<TestPlatform, 'api' | 'url'>,
  name: string,
): Promise<TestRuntime> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const { x = '' } = await exportJWK(publicKey);
  const { installToken } = await platform.api.call('createRuntime', { body: { name, kind: 'hybrid' } });
  const identity = await platform.api.call('registerRuntime', {
    body: { installToken, publicKey: { kty: 'OKP', crv: 'Ed25519', x } },
  });
  const token = (claims: Record<string, unknown> = {}) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA' })
      .setIssuer(identity.runtimeId)
      .setAudience(runtimeTokenAudience)
      .setIssuedAt()
      .setExpirationTime('60s')
      .sign(privateKey);
  const api = createApiClient({
    baseUrl: platform.url,
    headers: async () => ({ authorization: `Bearer ${await token()}` }),
  });
  return {
    id: identity.runtimeId,
    name,
    platformPublicKey: identity.platformPublicKey,
    token,
    api,
    report: (objects, contents = {}) =>
      api.call('reportEvents', { body: { reporter: 'test', objects: [...objects], contents: { ...contents } } }),
  };
}

export function sampleReport(name: string, overrides: Partial<ApplicationReport> = {}): ApplicationReport {
  return {
    name,
    namespace: 'argocd',
    uid: `uid-${name}`,
    labels: {},
    annotations: {},
    spec: {
      project: 'default',
      source: { repoURL: 'https://git.example/demo/guestbook.git', path: name, targetRevision: 'main' },
      destination: { server: 'https://kubernetes.default.svc', namespace: name },
      syncPolicy: { automated: { prune: true, selfHeal: true } },
    },
    sync: { status: 'Synced', revision: '0123456789abcdef0123456789abcdef01234567' },
    health: { status: 'Healthy' },
    history: [],
    conditions: [],
    images: ['registry.example/guestbook:v1'],
    resources: [],
    tree: [],
    ...overrides,
  };
}

export function reported(application: ApplicationReport, sequence: number, epoch = 1): ReportedObject {
  const { namespace, name, uid } = application;
  const observedAt = new Date().toISOString();
  const hash = contentHash(application);
  return { kind: 'application', key: `${namespace}/${name}`, uid, epoch, sequence, observedAt, hash, application };
}

export function deletion(application: ApplicationReport, sequence: number, epoch = 1): ReportedObject {
  const { application: _, ...stamp } = reported(application, sequence, epoch) as Extract<
    ReportedObject,
    { application: unknown }
  >;
  return { ...stamp, hash: contentHash(null), deleted: true };
}

/** Waits for a condition; fails with its name after `withinMs`. */
export async function eventually<T>(
  what: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  withinMs = 45_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

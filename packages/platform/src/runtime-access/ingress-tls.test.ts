// A runtime behind an ingress whose certificate is of an authority that only its operator knows.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '@fairlead/base';
import { assertionHeader } from '@fairlead/contracts';
import { importJWK, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  registerTestRuntime,
  reported,
  sampleReport,
  startTestPlatform,
  type TestPlatform,
  type TestRuntime,
} from '../testing.ts';

const dir = mkdtempSync(join(tmpdir(), 'fairlead-ingress-'));
const stops: (() => Promise<unknown>)[] = [() => Promise.resolve(rmSync(dir, { recursive: true }))];
let platform: TestPlatform;
let runtime: TestRuntime;
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

const file = (name: string) => join(dir, name);
const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

function authority(name: string): void {
  const out = ['-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)];
  openssl('req', '-x509', ...newKey, '-days', '2', '-subj', `/CN=${name}`, ...out);
}

/** Signed by the authority `by`, for one address. */
function certificate(name: string, by: string, address: string) {
  writeFileSync(file(`${name}.ext`), `subjectAltName=IP:${address}\n`);
  openssl('req', ...newKey, '-subj', `/CN=${name}`, '-keyout', file(`${name}.key`), '-out', file(`${name}.csr`));
  const signer = ['-CA', file(`${by}.pem`), '-CAkey', file(`${by}.key`), '-CAcreateserial'];
  const inOut = ['-in', file(`${name}.csr`), '-out', file(`${name}.pem`), '-extfile', file(`${name}.ext`)];
  openssl('x509', '-req', '-days', '2', ...signer, ...inOut);
  return { cert: readFileSync(file(`${name}.pem`)), key: readFileSync(file(`${name}.key`)) };
}

/** An ingress with a router and app-proxy behind it that check the platform's word. */
async function ingress(tls: ReturnType<typeof certificate>): Promise<string> {
  const server = createServer(tls, async (request, response) => {
    if (request.url?.endsWith('/healthz')) return void response.end('ok');
    const key = await importJWK({ ...runtime.platformPublicKey }, 'EdDSA');
    const word = String(request.headers[assertionHeader]);
    const isOurs = await jwtVerify(word, key, { audience: runtime.id }).then(
      () => true,
      () => false,
    );
    response.writeHead(isOurs ? (request.method === 'POST' ? 202 : 200) : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ accepted: true, message: 'over TLS', code: 'not_signed_in', requestId: '' }));
  });
  const { port, close } = await listen(server, { port: 0 });
  stops.push(() => close(0));
  return `https://127.0.0.1:${port}`;
}

const access = (url: string) =>
  platform.api.call('setRuntimeAccess', { params: { runtime: runtime.name }, body: { mode: 'ingress', url } });

beforeAll(async () => {
  for (const name of ['operator', 'stranger']) authority(name);
  const settings = { runtimeNetworks: '127.0.0.0/8', runtimeCaFile: file('operator.pem') };
  platform = await startTestPlatform(settings);
  stops.push(() => platform.stop());
  runtime = await registerTestRuntime(platform, 'behind-ingress');
  const objects = [reported(sampleReport('app'), 1)];
  await runtime.api.call('reportEvents', { body: { reporter: 'test', objects, contents: {} } });
});

describe('a runtime behind an ingress', () => {
  it('is reached over TLS by an authority of the operator', async () => {
    const row = await access(await ingress(certificate('good', 'operator', '127.0.0.1')));
    expect(row).toMatchObject({ access: { mode: 'ingress' }, status: 'connected' });
    const params = { runtime: runtime.name, namespace: 'argocd', name: 'app' };
    expect((await platform.api.call('syncApplication', { params, body: {} })).message).toBe('over TLS');
  });

  it.each([
    ['of an authority that nobody named', 'stranger', '127.0.0.1'],
    ['of another address', 'operator', '127.0.0.9'],
  ])('is not called when its certificate is %s', async (name, by, address) => {
    const refused = access(await ingress(certificate(name.replaceAll(' ', '-'), by, address)));
    await expect(refused).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('does not answer there'),
    });
  });
});

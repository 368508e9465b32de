import type { KubeObject } from '@fairlead/kube';
import { expect, it } from 'vitest';
import { parseClusterSecret } from './cluster-secret.ts';

const encoded = (text: string) => Buffer.from(text).toString('base64');
const secret = (config: object): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'c' },
  data: { name: encoded('far'), server: encoded('https://far.example.com/'), config: encoded(JSON.stringify(config)) },
});
const parse = (config: object, allowExec = false) => parseClusterSecret(secret(config), { allowExec });

it('goes through a proxy when told to', () => {
  expect(parse({ proxyUrl: 'http://proxy:3128' }).connection).toMatchObject({
    server: 'https://far.example.com',
    proxyUrl: 'http://proxy:3128',
  });
  expect(parse({ proxyUrl: 'socks5://proxy' }).problem).toMatch(/config.proxyUrl: must be/);
});

it('runs a program for credentials only where that is allowed', () => {
  const execProviderConfig = { command: 'login', args: ['--cluster', 'far'], env: { REGION: 'x' }, apiVersion: 'v1' };
  expect(parse({ execProviderConfig }).problem).toMatch(/--engine-allow-exec/);
  expect(parse({ execProviderConfig }).connection).toBeUndefined();
  expect(parse({ execProviderConfig }, true).connection?.exec).toMatchObject({
    command: 'login',
    args: ['--cluster', 'far'],
    env: { REGION: 'x' },
  });
  expect(parse({ execProviderConfig: {} }, true).problem).toMatch(/command: is required/);
});

it('refuses what it cannot do, with a way out', () => {
  expect(parse({ awsAuthConfig: { clusterName: 'x' } }).problem).toMatch(/awsAuthConfig: is not supported yet; use/);
});

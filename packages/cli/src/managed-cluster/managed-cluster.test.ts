import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@fairlead/base';
import { type RunningCluster, startCluster } from '@fairlead/cluster';
import { type ClusterConnection, KubeClient, loadKubeconfig } from '@fairlead/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseContext } from './choose-context.ts';
import { grantAccess } from './grant-access.ts';
import { parsePairs } from './pairs.ts';

let cluster: RunningCluster;
let connection: ClusterConnection;
let dir: string;
beforeAll(async () => {
  cluster = await startCluster();
  connection = await loadKubeconfig(cluster.kubeconfig);
  dir = mkdtempSync(join(tmpdir(), 'fairlead-managed-'));
  writeFileSync(join(dir, 'kubeconfig'), cluster.kubeconfig);
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(dir, { recursive: true, force: true });
});

const { signal } = new AbortController();
const grant = (over: object = {}) =>
  grantAccess({
    runtime: 'hosted',
    namespace: 'kube-system',
    leastRights: false,
    connection,
    context: 'prod',
    renew: false,
    clock: systemClock,
    signal,
    ...over,
  });

async function as(token: string, work: (client: KubeClient) => Promise<unknown>): Promise<unknown> {
  const client = new KubeClient({ ...connection, token });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
const makeRole = (client: KubeClient, name: string) =>
  client.create({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules: [] });
const makeSettings = (client: KubeClient, name: string) =>
  client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } });

describe('granting a runtime access', () => {
  it('gives a token with which it may do everything', async () => {
    const { credentials } = await grant();
    await as(credentials.bearerToken, (client) => makeRole(client, 'made'));
    expect(credentials.tlsClientConfig.caData).toBeDefined();
  });

  it('with least rights gives one that may not make roles', async () => {
    const { credentials } = await grant({ runtime: 'careful', leastRights: true });
    await as(credentials.bearerToken, (client) => makeSettings(client, 'made'));
    await expect(as(credentials.bearerToken, (client) => makeRole(client, 'not-made'))).rejects.toThrow(/forbidden/);
  });

  it('anew ends the tokens that were given before', async () => {
    const before = await grant({ runtime: 'rotated' });
    const after = await grant({ runtime: 'rotated', renew: true });
    await after.dropOlder();
    await expect(as(before.credentials.bearerToken, (client) => makeSettings(client, 'x'))).rejects.toThrow();
    await as(after.credentials.bearerToken, (client) => makeSettings(client, 'rotated'));
  });

  it('says what is wrong with the context', async () => {
    await expect(grant({ connection: { ...connection, token: 'ended' } })).rejects.toThrow(
      /--context prod: .* refuses your credentials \(expired\?\); sign in/,
    );
    await expect(grant({ connection: { ...connection, server: 'https://127.0.0.1:1' } })).rejects.toThrow(
      /--context prod: https:\/\/127\.0\.0\.1:1 does not answer .*; check the address/,
    );
    const { credentials } = await grant({ runtime: 'weak', leastRights: true });
    const weak = { ...connection, token: credentials.bearerToken };
    await expect(grant({ runtime: 'other', connection: weak })).rejects.toThrow(/your rights .* do not suffice/);
  });
});

describe('choosing a context', () => {
  const choose = (context: string | undefined, file = join(dir, 'kubeconfig')) =>
    chooseContext({
      context,
      file,
      env: {},
      extraFiles: [],
      terminal: { input: process.stdin, output: process.stdout },
    });

  it('takes the only one there is', async () => {
    expect((await choose(undefined)).connection.server).toBe(cluster.url);
  });

  it('names those that are there when another is asked for', async () => {
    await expect(choose('staging')).rejects.toThrow(
      /--context staging: there is no such context in .*; choose one of: fairlead/,
    );
    await expect(choose(undefined, join(dir, 'nothing'))).rejects.toThrow(/cannot read/);
  });

  it('reads pairs, and says how to write them', () => {
    expect(parsePairs('--labels', 'team=core,url=a=b')).toEqual({ team: 'core', url: 'a=b' });
    expect(() => parsePairs('--labels', 'team')).toThrow(/--labels: "team" is not key=value; write --labels/);
  });
});

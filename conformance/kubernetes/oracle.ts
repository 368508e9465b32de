// A real etcd and kube-apiserver, with kube-controller-manager when asked for, started from binaries that the environment
// names, for recording and comparing.
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@fairlead/base';

export interface Binaries {
  readonly etcd: string;
  readonly apiServer: string;
}

export interface ManagedBinaries extends Binaries {
  readonly controllerManager: string;
}

/** From `KUBE_APISERVER` and `ETCD`; undefined when they are not both set. */
export function binaries(): Binaries | undefined {
  const { ETCD: etcd, KUBE_APISERVER: apiServer } = process.env;
  return etcd && apiServer ? { etcd, apiServer } : undefined;
}

/** From `KUBE_CONTROLLER_MANAGER` as well. */
export function managedBinaries(): ManagedBinaries | undefined {
  const { KUBE_CONTROLLER_MANAGER: controllerManager } = process.env;
  const found = binaries();
  return found && controllerManager ? { ...found, controllerManager } : undefined;
}

export interface Oracle {
  readonly url: string;
  readonly token: string;
  /** The id of each process, by what it is. */
  readonly processes: Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

const startLimitMs = 60_000;

export async function startOracle({ etcd, apiServer, ...rest }: Binaries | ManagedBinaries): Promise<Oracle> {
  const controllerManager = 'controllerManager' in rest ? rest.controllerManager : undefined;
  const dir = await mkdtemp(join(tmpdir(), 'kube-oracle-'));
  const [client, peer, port] = [await freePort(), await freePort(), await freePort()];
  const token = 'oracle-administrator';
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(join(dir, 'sa.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  await writeFile(join(dir, 'tokens.csv'), `${token},kubernetes-admin,admin,"system:masters"\n`);
  const hasControllers = controllerManager !== undefined;
  const children = new Map([
    ['etcd', spawn(etcd, etcdFlags(dir, client, peer), { stdio: 'ignore' })],
    ['kube-apiserver', spawn(apiServer, apiServerFlags(dir, { client, port, hasControllers }), { stdio: 'ignore' })],
  ]);
  const oracle: Oracle = {
    url: `https://127.0.0.1:${port}`,
    token,
    get processes() {
      return Object.fromEntries([...children].map(([name, { pid }]) => [name, pid ?? 0]));
    },
    stop: async () => {
      for (const child of [...children.values()].reverse()) await end(child);
      await rm(dir, { recursive: true, force: true });
    },
  };
  await untilReady(oracle);
  if (controllerManager) {
    await writeFile(join(dir, 'kubeconfig'), kubeconfigOf(oracle));
    children.set('kube-controller-manager', spawn(controllerManager, controllerManagerFlags(dir), { stdio: 'ignore' }));
  }
  return oracle;
}

/** For a client of an oracle; its certificate is made by itself at its start, so nobody can check it. */
export const kubeconfigOf = ({ url, token }: Pick<Oracle, 'url' | 'token'>, namespace = 'default'): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'oracle', cluster: { server: url, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'oracle', context: { cluster: 'oracle', user: 'admin', namespace } }],
    'current-context': 'oracle',
  });

const controllerManagerFlags = (dir: string) => [
  `--kubeconfig=${join(dir, 'kubeconfig')}`,
  `--service-account-private-key-file=${join(dir, 'sa.key')}`,
  `--root-ca-file=${join(dir, 'certs', 'apiserver.crt')}`,
  '--leader-elect=false',
  '--secure-port=0',
  // By default each of its controllers asks 20 times a second: that, and nothing else, would be what a crowd waits for.
  '--kube-api-qps=500',
  '--kube-api-burst=1000',
];

const etcdFlags = (dir: string, client: number, peer: number) => [
  `--data-dir=${join(dir, 'etcd')}`,
  `--listen-client-urls=http://127.0.0.1:${client}`,
  `--advertise-client-urls=http://127.0.0.1:${client}`,
  `--listen-peer-urls=http://127.0.0.1:${peer}`,
  `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`,
  `--initial-cluster=default=http://127.0.0.1:${peer}`,
];

interface ApiServerPlan {
  readonly client: number;
  readonly port: number;
  readonly hasControllers: boolean;
}

const apiServerFlags = (dir: string, { client, port, hasControllers }: ApiServerPlan) => [
  `--etcd-servers=http://127.0.0.1:${client}`,
  `--secure-port=${port}`,
  '--bind-address=127.0.0.1',
  `--cert-dir=${join(dir, 'certs')}`,
  '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
  `--service-account-key-file=${join(dir, 'sa.key')}`,
  `--service-account-signing-key-file=${join(dir, 'sa.key')}`,
  '--service-cluster-ip-range=10.96.0.0/16',
  '--authorization-mode=RBAC',
  `--token-auth-file=${join(dir, 'tokens.csv')}`,
  // Where no controller makes service accounts, no pod could ever be created with it.
  ...(hasControllers ? [] : ['--disable-admission-plugins=ServiceAccount']),
];

async function untilReady({ url, token }: Oracle): Promise<void> {
  const isReady = () =>
    new Promise<boolean>((resolve) => {
      const headers = { authorization: `Bearer ${token}` };
      get(`${url}/readyz`, { rejectUnauthorized: false, headers }, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      }).on('error', () => resolve(false));
    });
  for (let waitedMs = 0; waitedMs < startLimitMs; waitedMs += 250) {
    if (await isReady()) return;
    await sleep(250);
  }
  throw new Error('kube-apiserver did not become ready within a minute');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

// A real Argo CD on a given cluster, from programs that the environment names:
//   ARGOCD            its binary (all components are in it)
//   ARGOCD_MANIFESTS  the install.yaml of the same version
//   REDIS_SERVER      redis-server
// with helm, kustomize and git on PATH. Its pods are not wanted: the components run here, as processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@fairlead/base';
import { KubeClient, type KubeObject, loadKubeconfig, refOf } from '@fairlead/kube';
import { parseAllDocuments } from 'yaml';
import { eventually } from '../engine/world.ts';

interface Programs {
  readonly argocd: string;
  readonly manifests: string;
  readonly redis: string;
}

export interface RealArgoCd {
  readonly url: string;
  readonly token: string;
  readonly password: string;
  readonly version: string;
  stop(): Promise<void>;
}

/** Undefined when the environment does not name all of them. */
export function programs(): Programs | undefined {
  const { ARGOCD: argocd, ARGOCD_MANIFESTS: manifests, REDIS_SERVER: redis } = process.env;
  return argocd && manifests && redis ? { argocd, manifests, redis } : undefined;
}

const namespace = 'argocd';
const podKinds = ['Deployment', 'StatefulSet', 'NetworkPolicy'];

export async function startRealArgoCd(given: Programs, kubeconfigFile: string): Promise<RealArgoCd> {
  const dir = await mkdtemp(join(tmpdir(), 'real-argo-cd-'));
  const client = new KubeClient(await loadKubeconfig(kubeconfigFile));
  await install(client, given.manifests);
  const children = await startComponents(given, { dir, kubeconfigFile });
  const stop = async () => {
    for (const child of children.processes) child.kill('SIGKILL');
    client.close();
    await rm(dir, { recursive: true, force: true });
  };
  const { url } = children;
  try {
    const password = await eventually(async () => {
      const secret = await client.get({
        group: '',
        version: 'v1',
        kind: 'Secret',
        namespace,
        name: 'argocd-initial-admin-secret',
      });
      return Buffer.from((secret['data'] as Record<string, string>)['password'] ?? '', 'base64').toString(); // written by argocd-server
    }, 60_000);
    const call = async (path: string, body?: object) => {
      const init = body && {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      };
      const answer = await fetch(url + path, init);
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      return (await answer.json()) as Record<string, string>;
    };
    const { token = '' } = await eventually(() => call('/api/v1/session', { username: 'admin', password }), 60_000);
    const { Version: version = '' } = await call('/api/version');
    return { url, token, password, version, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Everything but the pods. */
async function install(client: KubeClient, manifestsFile: string): Promise<void> {
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }).catch(() => undefined); // there already
  const objects = parseAllDocuments(await readFile(manifestsFile, 'utf8')).map(
    (each) => each.toJS() as KubeObject | null,
  );
  for (const object of objects) {
    if (!object || podKinds.includes(object.kind)) continue;
    const placed = { ...object, metadata: { ...object.metadata, namespace } };
    // Of kinds that have no namespace the member is dropped by the path.
    await eventually(
      () => client.patch(refOf(placed), placed, { type: 'apply', fieldManager: 'install', force: true }),
      20_000,
    );
  }
}

async function startComponents(
  { argocd, redis }: Programs,
  { dir, kubeconfigFile }: { dir: string; kubeconfigFile: string },
): Promise<{ url: string; processes: ChildProcess[] }> {
  const [redisPort, repo, server, ...rest] = await Promise.all(Array.from({ length: 9 }, freePort));
  const [metrics1, metrics2, metrics3, metrics4, probe, webhook] = rest;
  const data = Object.fromEntries(
    ['tls', 'ssh', 'gpg-keys', 'gpg-source', 'plugins', 'bin'].map((name) => [name, join(dir, name)]),
  );
  for (const each of Object.values(data)) await mkdir(each, { recursive: true });
  await writeFile(join(dir, 'ssh', 'ssh_known_hosts'), '');
  await symlink(argocd, join(dir, 'bin', 'argocd')); // git asks it for passwords
  const env = {
    ...process.env,
    PATH: `${join(dir, 'bin')}:${process.env['PATH']}`,
    KUBECONFIG: kubeconfigFile,
    ARGOCD_FAKE_IN_CLUSTER: 'true',
    ARGOCD_GPG_ENABLED: 'false',
    ARGOCD_TLS_DATA_PATH: data['tls'],
    ARGOCD_SSH_DATA_PATH: data['ssh'],
    ARGOCD_GNUPGHOME: data['gpg-keys'],
    ARGOCD_GPG_DATA_PATH: data['gpg-source'],
    ARGOCD_PLUGINSOCKFILEPATH: data['plugins'],
    ARGOCD_APPLICATIONSET_CONTROLLER_ENABLE_PROGRESSIVE_SYNCS: 'true',
  };
  const component = (name: string, ...args: string[]) =>
    spawn(argocd, args, { env: { ...env, ARGOCD_BINARY_NAME: name }, stdio: 'ignore' });
  const toRedis = ['--redis', `127.0.0.1:${redisPort}`];
  const own = ['--namespace', namespace];
  const toRepo = ['--repo-server', `127.0.0.1:${repo}`, '--repo-server-plaintext'];
  return {
    url: `http://127.0.0.1:${server}`,
    processes: [
      spawn(redis, ['--port', `${redisPort}`, '--save', '', '--appendonly', 'no'], { cwd: dir, stdio: 'ignore' }),
      component(
        'argocd-repo-server',
        ...['--port', `${repo}`, '--metrics-port', `${metrics1}`, '--disable-tls', '--client-ca-path=', ...toRedis],
      ),
      component('argocd-application-controller', ...own, '--metrics-port', `${metrics2}`, ...toRedis, ...toRepo),
      component(
        'argocd-server',
        ...own,
        ...['--port', `${server}`, '--metrics-port', `${metrics3}`, '--insecure', ...toRedis, ...toRepo],
      ),
      component(
        'argocd-applicationset-controller',
        ...own,
        ...['--metrics-addr', `127.0.0.1:${metrics4}`, '--probe-addr', `127.0.0.1:${probe}`],
        ...[
          '--webhook-addr',
          `127.0.0.1:${webhook}`,
          '--argocd-repo-server',
          `127.0.0.1:${repo}`,
          '--repo-server-plaintext',
        ],
      ),
    ],
  };
}

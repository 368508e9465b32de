// Inside a pod: the service account's files and the address every pod is told.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClusterConnection, KubeconfigError } from './kubeconfig.ts';

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface InClusterOptions {
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export async function loadInCluster(options: InClusterOptions = {}): Promise<ClusterConnection> {
  const { folder = accountFolder, env = process.env } = options;
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host || !port) {
    throw new KubeconfigError('not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set');
  }
  const read = async (name: string) => {
    try {
      return await readFile(join(folder, name), 'utf8');
    } catch (cause) {
      throw new KubeconfigError(`cannot read ${join(folder, name)}; is a service account mounted?`, { cause });
    }
  };
  const [ca, namespace] = [await read('ca.crt'), (await read('namespace')).trim()];
  await read('token');
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ca,
    tokenFile: join(folder, 'token'),
    namespace,
  };
}

// Inside a pod: the service account's files and the address every pod is told. Its token is read again when it is rotated, as
// the kubelet does long before the hour is over that it holds.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClusterConnection, KubeconfigError } from './kubeconfig.ts';

interface InClusterPlace {
  readonly folder: string;
  readonly host: string | undefined;
  readonly port: number | undefined;
}

export const serviceAccountFiles = ['token', 'ca.crt', 'namespace'] as const;

export async function loadInCluster({ folder, host, port }: InClusterPlace): Promise<ClusterConnection> {
  if (!host || !port) {
    throw new KubeconfigError('not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set');
  }
  const [, ca, namespace] = await Promise.all(serviceAccountFiles.map((name) => read(join(folder, name))));
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ca,
    tokenFile: join(folder, 'token'),
    namespace: namespace?.trim(),
  };
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new KubeconfigError(`cannot read ${file}; is a service account mounted?`, { cause });
  }
}

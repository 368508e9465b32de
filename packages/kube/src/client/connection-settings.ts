// How a role finds the cluster that it works in: by a kubeconfig file, or, in a pod, as the pod's service account. One set of
// settings for all roles; a kubeconfig that is given counts, wherever the role runs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError, envName, flagName } from '@fairlead/base';
import { loadInCluster, serviceAccountFiles } from './in-cluster.ts';
import { type ClusterConnection, loadKubeconfig } from './kubeconfig.ts';

export const connectionSettings = {
  kubeconfigFile: {
    type: 'string',
    help: 'kubeconfig of the cluster; without it, in a pod, its service account',
    optional: true,
  },
  kubeconfigContext: { type: 'string', help: 'which context of it; without it, the current one', optional: true },
  serviceAccountDir: {
    type: 'string',
    help: 'folder with token, ca.crt and namespace of the service account of the pod',
    default: '/var/run/secrets/kubernetes.io/serviceaccount',
  },
  kubernetesServiceHost: {
    type: 'string',
    help: 'where the API server is, as every pod is told it',
    env: 'KUBERNETES_SERVICE_HOST',
    optional: true,
  },
  kubernetesServicePort: {
    type: 'integer',
    help: 'its port, as every pod is told it',
    env: 'KUBERNETES_SERVICE_PORT',
    optional: true,
  },
} as const;

export type ConnectionPlace = Config<typeof connectionSettings>;

/** Throws before anything starts when neither way can work. A kubeconfig file may come later: its cluster may start beside us. */
export function checkConnectionPlace(place: ConnectionPlace): void {
  const { kubeconfigFile, kubeconfigContext, serviceAccountDir } = place;
  if (kubeconfigFile !== undefined) return;
  if (kubeconfigContext !== undefined) {
    throw new ConfigError(
      `${flagName('kubeconfigContext')} is ${kubeconfigContext}, and there is no ${flagName('kubeconfigFile')}`,
    );
  }
  const missing = [
    ...(place.kubernetesServiceHost ? [] : ['KUBERNETES_SERVICE_HOST is not set']),
    ...(place.kubernetesServicePort ? [] : ['KUBERNETES_SERVICE_PORT is not set']),
    ...serviceAccountFiles
      .map((name) => join(serviceAccountDir, name))
      .filter((file) => !existsSync(file))
      .map((file) => `${file} is not there`),
  ];
  if (missing.length === 0) return;
  const setting = `${flagName('kubeconfigFile')} (or ${envName('kubeconfigFile')})`;
  throw new ConfigError(
    `no cluster: give ${setting}, or run in a pod with a service account (here ${missing.join(', ')})`,
  );
}

/** Rejects while the kubeconfig file is not there or says nothing that can be used. */
export function connectionOf(place: ConnectionPlace): Promise<ClusterConnection> {
  const { kubeconfigFile, kubeconfigContext: context } = place;
  if (kubeconfigFile !== undefined) return loadKubeconfig(kubeconfigFile, context === undefined ? {} : { context });
  const { serviceAccountDir: folder, kubernetesServiceHost: host, kubernetesServicePort: port } = place;
  return loadInCluster({ folder, host, port });
}

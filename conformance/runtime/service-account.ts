// What a pod is given to speak to its cluster: files of a real service account, its address, and tokens that are replaced.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectionPlace, KubeClient, KubeObject } from '@fairlead/kube';

const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: 'default', name: 'runtime' } };
const ref = { group: '', version: 'v1', kind: 'ServiceAccount', ...account.metadata };

export interface Pod {
  readonly place: ConnectionPlace;
  /** The former token is taken by the cluster no longer; the file has a new one. */
  rotate(): Promise<void>;
}

export async function servicePod(client: KubeClient, dir: string): Promise<Pod> {
  const serviceAccountDir = join(dir, 'serviceaccount');
  const giveToken = async () => writeFile(join(serviceAccountDir, 'token'), await newToken(client));
  await client.create(account);
  await client.create(administrator);
  await mkdir(serviceAccountDir);
  await writeFile(join(serviceAccountDir, 'ca.crt'), client.connection.ca ?? '');
  await writeFile(join(serviceAccountDir, 'namespace'), 'fairlead');
  await giveToken();
  const { hostname, port } = new URL(client.connection.server);
  return {
    place: {
      ...{ kubeconfigFile: undefined, kubeconfigContext: undefined, serviceAccountDir },
      ...{ kubernetesServiceHost: hostname, kubernetesServicePort: Number(port) },
    },
    async rotate() {
      await client.delete(ref); // a token is of one account, not of the next one of its name
      await client.create(account);
      await giveToken();
    },
  };
}

async function newToken(client: KubeClient): Promise<string> {
  const path = '/api/v1/namespaces/default/serviceaccounts/runtime/token';
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const answer = await client.raw({ method: 'POST', path, body });
  return (answer as { status: { token: string } }).status.token; // what a TokenRequest is answered with
}

const administrator: KubeObject = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'runtime' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ kind: 'ServiceAccount', ...account.metadata }],
};

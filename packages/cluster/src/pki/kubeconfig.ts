import { dump } from 'js-yaml';
import type { ClusterIdentity } from './identity.ts';

/** A kubeconfig that any Kubernetes client takes. */
export function kubeconfigText({ authority, token }: ClusterIdentity, server: string): string {
  const name = 'fairlead';
  const ca = Buffer.from(authority.certificate).toString('base64');
  return dump({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': ca } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  });
}

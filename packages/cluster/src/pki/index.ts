export { type ClusterIdentity, loadIdentity, writeSecret } from './identity.ts';
export { kubeconfigText } from './kubeconfig.ts';

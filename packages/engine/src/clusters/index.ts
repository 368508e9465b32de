export type { Cluster } from './cluster.ts';
export {
  type ClusterEntry,
  clusterSecretName,
  secretTypeLabel,
  trimServer,
} from './cluster-secret.ts';
export { Clusters } from './clusters.ts';

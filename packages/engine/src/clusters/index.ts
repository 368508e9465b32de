export type { Cluster } from './cluster.ts';
export {
  type ClusterEntry,
  clusterSecretName,
  inClusterName,
  parseClusterSecret,
  secretTypeLabel,
  trimServer,
} from './cluster-secret.ts';
export { Clusters } from './clusters.ts';

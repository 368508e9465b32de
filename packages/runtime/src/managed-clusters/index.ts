export { type ManagedCluster, ManagedClusters } from './managed-clusters.ts';

export { type ManagedCluster, unlinkedClusters } from './cluster-secret.ts';
export { ClustersInGit } from './clusters-in-git.ts';
export { ManagedClusters } from './managed-clusters.ts';

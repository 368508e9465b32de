export { clusterRole, type RunningCluster, type StartClusterOptions, startCluster } from './roles/cluster.ts';

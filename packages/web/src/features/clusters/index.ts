export { ClusterLine, clusterColumns, clusterHealth } from './cluster-line.tsx';
export { ClustersPage } from './clusters-page.tsx';
export { ConnectCommand } from './connect-cluster.tsx';

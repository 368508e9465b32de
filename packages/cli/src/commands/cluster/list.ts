import type { ClusterRow } from '@fairlead/contracts';
import type { Command } from 'commander';
import { age, type Column, plain } from '../../output/index.ts';
import { addListByRuntime } from '../list-by-runtime.ts';

const columns = (nowMs: number): Column<ClusterRow>[] => [
  { title: 'NAME', value: (row) => row.name },
  { title: 'RUNTIME', value: (row) => row.runtime },
  { title: 'STATUS', value: (row) => row.status },
  { title: 'VERSION', value: (row) => row.version ?? '' },
  { title: 'APPLICATIONS', value: (row) => String(row.applications) },
  { title: 'SERVER', value: (row) => row.server },
  { title: 'CHANGED', value: (row) => age(row.changedAt, nowMs) },
  { title: 'REASON', value: (row) => plain(row.message ?? '') },
];

export function addClusterList(cluster: Command): void {
  addListByRuntime(cluster, {
    description: 'clusters that runtimes deploy to, and whether they answer',
    list: (api, query) => api.call('listClusters', { query }),
    columns,
  });
}

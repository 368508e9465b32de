import type { GitSourceRow } from '@fairlead/contracts';
import type { Command } from 'commander';
import { age, type Column, plain } from '../../output/index.ts';
import { addListByRuntime } from '../list-by-runtime.ts';

const columns = (nowMs: number): Column<GitSourceRow>[] => [
  { title: 'NAME', value: (row) => row.name },
  { title: 'RUNTIME', value: (row) => row.runtime },
  { title: 'SYNC', value: (row) => row.sync },
  { title: 'HEALTH', value: (row) => row.health },
  { title: 'APPLICATIONS', value: (row) => String(row.applications) },
  { title: 'RESTRICTED', value: (row) => row.applicationsProject ?? '' },
  { title: 'REPOSITORY', value: (row) => row.repoUrl },
  { title: 'PATH', value: (row) => row.path || '/' },
  { title: 'BRANCH', value: (row) => row.branch },
  { title: 'CHANGED', value: (row) => age(row.changedAt, nowMs) },
  { title: 'REASON', value: (row) => plain(row.message ?? '') },
];

export function addGitSourceList(gitSource: Command): void {
  addListByRuntime(gitSource, {
    description: 'Git Sources: the folders that applications come from',
    list: (api, query) => api.call('listGitSources', { query }),
    columns,
  });
}

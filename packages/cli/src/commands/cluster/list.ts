import { systemClock } from '@fairlead/base';
import type { ClusterRow } from '@fairlead/contracts';
import type { Command } from 'commander';
import { knownRuntime } from '../../known-runtime.ts';
import { age, parseFormat, plain, render } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';

const columns = (nowMs: number) => [
  { title: 'NAME', value: (row: ClusterRow) => row.name },
  { title: 'RUNTIME', value: (row: ClusterRow) => row.runtime },
  { title: 'STATUS', value: (row: ClusterRow) => row.status },
  { title: 'VERSION', value: (row: ClusterRow) => row.version ?? '' },
  { title: 'APPLICATIONS', value: (row: ClusterRow) => String(row.applications) },
  { title: 'SERVER', value: (row: ClusterRow) => row.server },
  { title: 'CHANGED', value: (row: ClusterRow) => age(row.changedAt, nowMs) },
  { title: 'REASON', value: (row: ClusterRow) => plain(row.message ?? '') },
];

export function addClusterList(cluster: Command): void {
  cluster
    .command('list [runtime]')
    .description('clusters that runtimes deploy to, and whether they answer')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (runtime: string | undefined, _flags, command: Command) => {
      const { output, ...options } = command.optsWithGlobals<GlobalOptions & { output: string }>();
      const format = parseFormat(output);
      const api = platformClient(options);
      const query = runtime === undefined ? {} : { runtime: await knownRuntime(api, runtime) };
      const { items } = await api.call('listClusters', { query });
      process.stdout.write(render(format, { items }, items, columns(systemClock.now())));
    });
}

import { systemClock } from '@fairlead/base';
import type { GitSourceRow } from '@fairlead/contracts';
import type { Command } from 'commander';
import { knownRuntime } from '../../known-runtime.ts';
import { age, parseFormat, plain, render } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';

const columns = (nowMs: number) => [
  { title: 'NAME', value: (row: GitSourceRow) => row.name },
  { title: 'RUNTIME', value: (row: GitSourceRow) => row.runtime },
  { title: 'SYNC', value: (row: GitSourceRow) => row.sync },
  { title: 'HEALTH', value: (row: GitSourceRow) => row.health },
  { title: 'APPLICATIONS', value: (row: GitSourceRow) => String(row.applications) },
  { title: 'RESTRICTED', value: (row: GitSourceRow) => row.applicationsProject ?? '' },
  { title: 'REPOSITORY', value: (row: GitSourceRow) => row.repoUrl },
  { title: 'PATH', value: (row: GitSourceRow) => row.path || '/' },
  { title: 'BRANCH', value: (row: GitSourceRow) => row.branch },
  { title: 'CHANGED', value: (row: GitSourceRow) => age(row.changedAt, nowMs) },
  { title: 'REASON', value: (row: GitSourceRow) => plain(row.message ?? '') },
];

export function addGitSourceList(gitSource: Command): void {
  gitSource
    .command('list [runtime]')
    .description('Git Sources: the folders that applications come from')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (runtime: string | undefined, _flags, command: Command) => {
      const { output, ...options } = command.optsWithGlobals<GlobalOptions & { output: string }>();
      const format = parseFormat(output);
      const api = platformClient(options);
      const query = runtime === undefined ? {} : { runtime: await knownRuntime(api, runtime) };
      const { items } = await api.call('listGitSources', { query });
      process.stdout.write(render(format, { items }, items, columns(systemClock.now())));
    });
}

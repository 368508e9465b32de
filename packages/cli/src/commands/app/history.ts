import { systemClock } from '@fairlead/base';
import type { DeploymentRow } from '@fairlead/contracts';
import type { Command } from 'commander';
import { wholeNumber } from '../../input.ts';
import { age, parseFormat, plain, render } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { findApplication } from './find.ts';

const columns = (nowMs: number) => [
  { title: 'ID', value: ({ historyId }: DeploymentRow) => (historyId === undefined ? '' : String(historyId)) },
  { title: 'WHEN', value: ({ startedAt }: DeploymentRow) => age(startedAt, nowMs) },
  { title: 'RESULT', value: ({ phase }: DeploymentRow) => phase },
  { title: 'REVISION', value: ({ revision }: DeploymentRow) => revision.slice(0, 7) },
  {
    title: 'BY',
    value: (row: DeploymentRow) => (row.automated ? 'auto-sync' : plain(row.initiator ?? '')),
  },
  { title: 'COMMIT', value: ({ commit }: DeploymentRow) => plain(commit?.message?.split('\n')[0] ?? '') },
];

export function addAppHistory(app: Command): void {
  app
    .command('history <name>')
    .description('deployments of an application, newest first; the id is what app rollback takes')
    .option('--limit <n>', 'at most so many, up to 500', '20')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (name: string, _flags, command: Command) => {
      const { output, limit, ...options } = command.optsWithGlobals<
        GlobalOptions & { output: string; limit: string }
      >();
      const format = parseFormat(output);
      const most = wholeNumber('--limit', limit, 500);
      const api = platformClient(options);
      const params = await findApplication(api, name);
      const { items } = await api.call('listDeployments', { params, query: { limit: most } });
      process.stdout.write(render(format, { items }, items, columns(systemClock.now())));
    });
}

import { systemClock } from '@fairlead/base';
import type { RuntimeRow } from '@fairlead/contracts';
import type { Command } from 'commander';
import { findHome } from '../../home/index.ts';
import { age, parseFormat, render } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { runningHere } from './running-here.ts';

const columns = (nowMs: number, here: ReadonlyMap<string, string>) => [
  { title: 'NAME', value: (row: RuntimeRow) => row.name },
  { title: 'KIND', value: (row: RuntimeRow) => row.kind },
  { title: 'STATUS', value: (row: RuntimeRow) => row.status },
  { title: 'VERSION', value: (row: RuntimeRow) => row.report?.version ?? '' },
  {
    title: 'ENGINE',
    value: (row: RuntimeRow) => (row.report ? `${row.report.engine.kind} ${row.report.engine.version}` : ''),
  },
  { title: 'CLUSTERS', value: (row: RuntimeRow) => String(row.report?.clusters.length ?? 0) },
  { title: 'APPLICATIONS', value: (row: RuntimeRow) => String(row.applications) },
  { title: 'ON THIS MACHINE', value: ({ name }: RuntimeRow) => here.get(name) ?? '' },
  { title: 'LAST HEARD', value: (row: RuntimeRow) => age(row.lastHeardAt, nowMs) },
];

export function addRuntimeList(runtime: Command): void {
  runtime
    .command('list')
    .description('runtimes of the account')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (_flags, command: Command) => {
      const { output, ...options } = command.optsWithGlobals<GlobalOptions & { output: string }>();
      const format = parseFormat(output);
      const { items } = await platformClient(options).call('listRuntimes', {});
      process.stdout.write(
        render(format, { items }, items, columns(systemClock.now(), runningHere(findHome(options.home, process.env)))),
      );
    });
}

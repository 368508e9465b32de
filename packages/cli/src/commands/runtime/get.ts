import { systemClock } from '@fairlead/base';
import type { RuntimeReport, RuntimeRow } from '@fairlead/contracts';
import type { Command } from 'commander';
import { knownRuntime } from '../../known-runtime.ts';
import { age, parseFormat, plain, render } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';

type Component = RuntimeReport['components'][number];

const componentColumns = [
  { title: 'COMPONENT', value: (row: Component) => row.name },
  { title: 'VERSION', value: (row: Component) => row.version },
  { title: 'HEALTH', value: (row: Component) => row.health },
  { title: 'ROLE', value: (row: Component) => row.role ?? '' },
  { title: 'REASON', value: (row: Component) => plain(row.message ?? '') },
];

export function addRuntimeGet(runtime: Command): void {
  runtime
    .command('get <name>')
    .description('one runtime: how it is, its configuration and its components')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (name: string, _flags, command: Command) => {
      const { output, ...options } = command.optsWithGlobals<GlobalOptions & { output: string }>();
      const format = parseFormat(output);
      const api = platformClient(options);
      const row = await api.call('getRuntime', { params: { runtime: await knownRuntime(api, name) } });
      if (format === 'table') process.stdout.write(`${summary(row)}\n`);
      const components = row.report?.components ?? [];
      process.stdout.write(render(format, row, components, componentColumns));
    });
}

function summary({ name, kind, status, lastHeardAt, applications, report, access }: RuntimeRow): string {
  const lines = [
    `${name}: ${kind} runtime, ${status}, last heard ${age(lastHeardAt, systemClock.now()) || 'never'}`,
    `reached by: ${access ? `${access.mode}, ${plain(access.url ?? '')}` : 'its tunnel'}`,
    `configuration: ${report?.sharedConfigRepo ?? 'no Git provider connected yet; fairlead setup does it'}`,
    `clusters: ${report?.clusters.length ?? 0}, applications: ${applications}`,
  ];
  return `${lines.join('\n')}\n`;
}

import type { RuntimeReport } from '@fairlead/contracts';
import type { Command } from 'commander';
import { knownRuntime } from '../../known-runtime.ts';
import { parseFormat, plain, render } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';

type Component = RuntimeReport['components'][number] & { readonly runtime: string };

const columns = [
  { title: 'RUNTIME', value: ({ runtime }: Component) => runtime },
  { title: 'COMPONENT', value: ({ name }: Component) => name },
  { title: 'VERSION', value: ({ version }: Component) => version },
  { title: 'HEALTH', value: ({ health }: Component) => health },
  { title: 'REASON', value: ({ message }: Component) => plain(message ?? '') },
];

export function addComponentList(component: Command): void {
  component
    .command('list [runtime]')
    .description('components of one runtime, or of all, with their versions')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (runtime: string | undefined, _flags, command: Command) => {
      const { output, ...options } = command.optsWithGlobals<GlobalOptions & { output: string }>();
      const format = parseFormat(output);
      const api = platformClient(options);
      const rows =
        runtime === undefined
          ? (await api.call('listRuntimes', {})).items
          : [await api.call('getRuntime', { params: { runtime: await knownRuntime(api, runtime) } })];
      const items = rows.flatMap(({ name, report }) =>
        (report?.components ?? []).map((each): Component => ({ ...each, runtime: name })),
      );
      process.stdout.write(render(format, { items }, items, columns));
    });
}

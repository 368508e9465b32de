import { systemClock } from '@fairlead/base';
import type { ApiClient } from '@fairlead/contracts';
import type { Command } from 'commander';
import { knownRuntime } from '../known-runtime.ts';
import { type Column, parseFormat, render } from '../output/index.ts';
import { type GlobalOptions, platformClient } from '../platform-client.ts';

interface ListByRuntime<Row> {
  readonly description: string;
  readonly list: (api: ApiClient, query: { runtime?: string }) => Promise<{ readonly items: readonly Row[] }>;
  readonly columns: (nowMs: number) => readonly Column<Row>[];
}

/** `list [runtime]`: what one runtime has of a kind, or what all of them have. */
export function addListByRuntime<Row>(parent: Command, { description, list, columns }: ListByRuntime<Row>): void {
  parent
    .command('list [runtime]')
    .description(description)
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (runtime: string | undefined, _flags, command: Command) => {
      const { output, ...options } = command.optsWithGlobals<GlobalOptions & { output: string }>();
      const format = parseFormat(output);
      const api = platformClient(options);
      const query = runtime === undefined ? {} : { runtime: await knownRuntime(api, runtime) };
      const { items } = await list(api, query);
      process.stdout.write(render(format, { items }, items, columns(systemClock.now())));
    });
}

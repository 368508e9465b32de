import { systemClock } from '@fairlead/base';
import type { QuarantinedObject } from '@fairlead/contracts';
import type { Command } from 'commander';
import { knownRuntime } from '../../known-runtime.ts';
import { age, parseFormat, plain, render } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';

const columns = (nowMs: number) => [
  { title: 'OBJECT', value: ({ key }: QuarantinedObject) => plain(key) },
  { title: 'AGE', value: ({ at }: QuarantinedObject) => age(at, nowMs) },
  { title: 'REPORTER', value: ({ reporter }: QuarantinedObject) => plain(reporter) },
  { title: 'REASON', value: ({ reason }: QuarantinedObject) => plain(reason) },
];

export function addRuntimeQuarantine(runtime: Command): void {
  runtime
    .command('quarantine <name>')
    .description('reports of the runtime that the platform could not read, newest first, with the reason')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (name: string, _flags, command: Command) => {
      const { output, ...options } = command.optsWithGlobals<GlobalOptions & { output: string }>();
      const format = parseFormat(output);
      const api = platformClient(options);
      const params = { runtime: await knownRuntime(api, name) };
      const { items } = await api.call('listQuarantine', { params });
      process.stdout.write(render(format, { items }, items, columns(systemClock.now())));
    });
}

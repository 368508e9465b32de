import { runtimeComponents } from '@fairlead/contracts';
import type { Command } from 'commander';
import { oneOf, wholeNumber } from '../../input.ts';
import { plain } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { chooseRuntime } from '../runtime/choose.ts';

interface LogFlags extends GlobalOptions {
  readonly runtime?: string;
  readonly follow?: boolean;
  readonly tail: string;
}

export function addComponentLogs(component: Command): void {
  component
    .command('logs <name>')
    .description('the last log lines of a component of a runtime, wherever it runs')
    .option('--runtime <name>', 'which runtime; not needed when there is only one')
    .option('-f, --follow', 'go on as lines come, until Ctrl-C')
    .option('--tail <n>', 'how many lines at most', '200')
    .action(async (name: string, _flags, command: Command) => {
      const flags = command.optsWithGlobals<LogFlags>();
      const tail = wholeNumber('--tail', flags.tail, 5_000);
      const component = oneOf('component', name, runtimeComponents);
      const api = platformClient(flags);
      const runtime = await chooseRuntime(api, flags.runtime, flags);
      const params = { runtime, component };
      const query = { tail, ...(flags.follow ? { follow: true } : {}) };
      for await (const { line, pod } of api.stream('streamComponentLogs', { params, query })) {
        process.stdout.write(`${pod ? `${plain(pod)}  ` : ''}${plain(line)}\n`);
      }
    });
}

import type { LogLine } from '@fairlead/contracts';
import type { Command } from 'commander';
import { wholeNumber } from '../../input.ts';
import { plain, styled } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { findApplication } from './find.ts';
import { parseResource } from './resource-name.ts';

interface LogFlags extends GlobalOptions {
  readonly resource?: string;
  readonly pod?: string;
  readonly container?: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly tail: string;
  readonly since?: string;
  readonly timestamps?: boolean;
}

export function addAppLogs(app: Command): void {
  app
    .command('logs <name>')
    .description('log lines of the pods of an application')
    .option('--resource <kind/name>', 'only pods below this workload, e.g. Deployment/web')
    .option('--pod <name>', 'only this pod')
    .option('--container <name>', 'which container, where a pod has several')
    .option('-f, --follow', 'go on as lines come, until Ctrl-C')
    .option('--previous', 'of the container that ran before the last restart')
    .option('--tail <n>', 'the last so many lines of each pod', '100')
    .option('--since <seconds>', 'only lines of the last so many seconds')
    .option('--timestamps', 'with the time of each line')
    .action(async (name: string, _flags, command: Command) => {
      const flags = command.optsWithGlobals<LogFlags>();
      const api = platformClient(flags);
      const params = await findApplication(api, name);
      const { pod, container, follow, previous, since } = flags;
      const query = {
        tail: wholeNumber('--tail', flags.tail),
        ...(flags.resource ? await parseResource(api, params, flags.resource) : {}),
        ...(pod ? { pod } : {}),
        ...(container ? { container } : {}),
        ...(follow ? { follow } : {}),
        ...(previous ? { previous } : {}),
        ...(since ? { sinceSeconds: wholeNumber('--since', since) } : {}),
      };
      let count = 0;
      for await (const line of api.stream('streamLogs', { params, query })) {
        process.stdout.write(`${shown(line, flags.timestamps ?? false)}\n`);
        count++;
      }
      if (count === 0) process.stderr.write(`no log lines: ${params.name} has no pods that said something\n`);
    });
}

function shown({ pod, time, line }: LogLine, withTime: boolean): string {
  const prefix = [withTime ? time : '', pod].filter(Boolean).join(' ');
  return `${styled('dim', plain(prefix))} ${plain(line)}`;
}

import { systemClock } from '@fairlead/base';
import type { EventRow } from '@fairlead/contracts';
import type { Command } from 'commander';
import { age, parseFormat, plain, render } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { findApplication } from './find.ts';
import { parseResource } from './resource-name.ts';

const columns = (nowMs: number) => [
  { title: 'LAST SEEN', value: (event: EventRow) => age(event.lastSeen, nowMs) },
  { title: 'TYPE', value: (event: EventRow) => event.type },
  { title: 'REASON', value: (event: EventRow) => plain(event.reason) },
  { title: 'OBJECT', value: (event: EventRow) => `${event.object.kind}/${event.object.name}` },
  { title: 'COUNT', value: (event: EventRow) => String(event.count) },
  { title: 'MESSAGE', value: (event: EventRow) => plain(event.message) },
];

export function addAppEvents(app: Command): void {
  app
    .command('events <name>')
    .description('Kubernetes events of an application, or of one of its resources, newest first')
    .option('--resource <kind/name>', 'of this resource, e.g. Deployment/web')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (name: string, _flags, command: Command) => {
      const { output, resource, ...options } = command.optsWithGlobals<
        GlobalOptions & { output: string; resource?: string }
      >();
      const format = parseFormat(output);
      const api = platformClient(options);
      const params = await findApplication(api, name);
      const query = resource ? await parseResource(api, params, resource) : {};
      const { items } = await api.call('listEvents', { params, query });
      process.stdout.write(render(format, { items }, items, columns(systemClock.now())));
    });
}

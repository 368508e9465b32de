import { FairleadError } from '@fairlead/base';
import type { ResourceAction } from '@fairlead/contracts';
import type { Command } from 'commander';
import { parseFormat, plain, render } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { findApplication } from './find.ts';
import { parseResource } from './resource-name.ts';

const columns = [
  { title: 'ACTION', value: ({ name }: ResourceAction) => name },
  { title: 'POSSIBLE', value: ({ disabled }: ResourceAction) => (disabled ? 'not now' : 'yes') },
  {
    title: 'PARAMETERS',
    value: ({ parameters }: ResourceAction) =>
      parameters.map((parameter) => [parameter.name, parameter.default].filter(Boolean).join('=')).join(' '),
  },
];

export function addAppActions(app: Command): void {
  app
    .command('actions <name> <resource>')
    .description('what can be done to a resource (kind/name): restart, scale, pause, resume …')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (name: string, resource: string, _flags, command: Command) => {
      const { output, ...options } = command.optsWithGlobals<GlobalOptions & { output: string }>();
      const format = parseFormat(output);
      const api = platformClient(options);
      const params = await findApplication(api, name);
      const query = await parseResource(api, params, resource);
      const { items } = await api.call('listResourceActions', { params, query });
      process.stdout.write(render(format, { items }, items, columns));
    });
}

export function addAppRun(app: Command): void {
  app
    .command('run <name> <resource> <action> [parameters...]')
    .description('run an action on a resource (kind/name); parameters as name=value')
    .addHelpText('after', '\nExample:\n  fairlead app run guestbook-dev Deployment/guestbook-ui restart')
    .action(async (name: string, resource: string, action: string, given: string[], _flags, command: Command) => {
      const api = platformClient(command.optsWithGlobals<GlobalOptions>());
      const params = await findApplication(api, name);
      const named = await parseResource(api, params, resource);
      const parameters = Object.fromEntries(given.map(parseParameter));
      const receipt = await api.call('runResourceAction', { params, body: { ...named, action, parameters } });
      process.stdout.write(`${plain(receipt.message)}\n`);
    });
}

function parseParameter(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new FairleadError('bad_usage', `parameter ${text}: must be name=value, e.g. replicas=3`);
  return [text.slice(0, at), text.slice(at + 1)];
}

import { FairleadError } from '@fairlead/base';
import type { RuntimeAccess } from '@fairlead/contracts';
import type { Command } from 'commander';
import { oneOf } from '../../input.ts';
import { knownRuntime } from '../../known-runtime.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';

const modes: readonly RuntimeAccess['mode'][] = ['tunnel', 'ingress', 'mesh'];

export function addRuntimeAccess(runtime: Command): void {
  runtime
    .command('access <name>')
    .description('how the platform reaches a runtime; nothing is installed anew')
    .requiredOption('--mode <mode>', 'tunnel (the runtime dials), ingress (https URL) or mesh (any URL)')
    .option('--url <url>', 'of its request router, for ingress and mesh; it is tried first')
    .action(async (name: string, _flags, command: Command) => {
      const {
        mode: given,
        url,
        ...options
      } = command.optsWithGlobals<GlobalOptions & { mode: string; url?: string }>();
      const mode = oneOf('--mode', given, modes);
      if (mode !== 'tunnel' && url === undefined) {
        throw new FairleadError('bad_usage', `--url: --mode ${mode} needs the address of the request router; give it`);
      }
      const body = { mode, ...(url === undefined ? {} : { url }) };
      const api = platformClient(options);
      const row = await api.call('setRuntimeAccess', { params: { runtime: await knownRuntime(api, name) }, body });
      const way = row.access ? `by ${row.access.mode} at ${row.access.url}` : 'by its tunnel';
      process.stdout.write(`${name} is reached ${way}; it is ${row.status}\n`);
    });
}

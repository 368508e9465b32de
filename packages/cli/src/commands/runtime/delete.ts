import { existsSync } from 'node:fs';
import { FairleadError } from '@fairlead/base';
import type { Command } from 'commander';
import { attachedHomeOf, findHome, runtimeHomeOf } from '../../home/index.ts';
import { knownRuntime } from '../../known-runtime.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { confirmName } from '../../prompt.ts';

/** The platform's side only; `uninstall` is for a runtime that can still be reached, or that runs on this machine. */
export function addRuntimeDelete(runtime: Command): void {
  runtime
    .command('delete <name>')
    .description('forget a runtime that is offline for good: what the platform knows of it; its cluster is not touched')
    .option('--yes', 'do not ask')
    .action(async (name: string, _flags, command: Command) => {
      const flags = command.optsWithGlobals<GlobalOptions & { yes?: boolean }>();
      const home = findHome(flags.home, process.env);
      if ([runtimeHomeOf, attachedHomeOf].some((placeOf) => existsSync(placeOf(home, name).dir))) {
        throw new FairleadError(
          'conflict',
          `runtime ${name} is on this machine and would come back; take it away with fairlead runtime uninstall ${name}`,
        );
      }
      const api = platformClient(flags);
      const params = { runtime: await knownRuntime(api, name) };
      const { status, applications } = await api.call('getRuntime', { params });
      if (status === 'connected') {
        throw new FairleadError(
          'conflict',
          `runtime ${name} is connected; only one that is offline can be deleted. Stop it first, or take it away with fairlead runtime uninstall ${name}`,
        );
      }
      if (!flags.yes)
        await confirmName(
          `Runtime ${name} (${status}) and what it reported of ${applications} applications are forgotten.`,
          name,
        );
      await api.call('deleteRuntime', { params });
      process.stdout.write(
        `Runtime ${name} is forgotten. What runs in its cluster stays; fairlead runtime detach takes its parts out there.\n`,
      );
    });
}

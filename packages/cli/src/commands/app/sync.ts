import { systemClock } from '@fairlead/base';
import type { ApiClient, ApplicationId } from '@fairlead/contracts';
import type { Command } from 'commander';
import { plain } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { timeoutOf } from './await.ts';
import { findApplication } from './find.ts';
import { parseResource } from './resource-name.ts';
import { syncResult, untilTellable } from './sync-result.ts';

interface SyncFlags extends GlobalOptions {
  readonly revision?: string;
  readonly prune?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly resource: readonly string[];
  readonly wait: boolean;
  readonly timeout: string;
}

export function addAppSync(app: Command): void {
  app
    .command('sync <name>')
    .description('synchronise an application with Git now, and wait for the result')
    .option('--revision <revision>', 'a branch, tag or commit other than the configured one')
    .option('--prune', 'delete what Git no longer has')
    .option('--dry-run', 'only try')
    .option('--force', 'delete and recreate what cannot be changed in place')
    .option('--resource <kind/name>', 'only this resource of it; may be said again', collect, [])
    .option('--no-wait', 'do not wait for the result')
    .option('--timeout <seconds>', 'how long to wait', '120')
    .addHelpText('after', '\nExample:\n  fairlead app sync guestbook-dev --resource Deployment/guestbook-ui')
    .action(async (name: string, _flags, command: Command) => {
      const flags = command.optsWithGlobals<SyncFlags>();
      const timeoutMs = timeoutOf(flags.timeout);
      const api = platformClient(flags);
      const id = await findApplication(api, name);
      const before = (await api.call('getApplication', { params: id })).report.operation;
      const { revision, prune, dryRun, force } = flags;
      const resources = await Promise.all(flags.resource.map((text) => namedResource(api, id, text)));
      const body = {
        ...(revision ? { revision } : {}),
        ...(prune ? { prune } : {}),
        ...(dryRun ? { dryRun } : {}),
        ...(force ? { force } : {}),
        ...(resources.length > 0 ? { resources } : {}),
      };
      if (flags.wait) await untilTellable(before, systemClock);
      const receipt = await api.call('syncApplication', { params: id, body });
      process.stdout.write(`${plain(receipt.message)}\n`);
      if (flags.wait) await syncResult(api, id, { before, timeoutMs, clock: systemClock });
    });
}

const collect = (value: string, before: readonly string[]) => [...before, value];

async function namedResource(api: ApiClient, id: ApplicationId, text: string) {
  const { resource: name, ...place } = await parseResource(api, id, text);
  return { ...place, name };
}

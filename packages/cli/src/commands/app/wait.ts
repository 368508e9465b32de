import { type ApplicationRow, healthCodes } from '@fairlead/contracts';
import type { Command } from 'commander';
import { oneOf } from '../../input.ts';
import { plain } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { awaitApplication, timeoutOf } from './await.ts';
import { findApplication } from './find.ts';

interface WaitFlags extends GlobalOptions {
  readonly health: string;
  readonly sync: string;
  readonly revision?: string;
  readonly timeout: string;
}

export function addAppWait(app: Command): void {
  app
    .command('wait <name>')
    .description('wait until an application is as wanted (default: healthy and synced)')
    .option('--health <status>', `one of ${healthCodes.join(', ')}, or any`, 'Healthy')
    .option('--sync <status>', 'Synced, OutOfSync or any', 'Synced')
    .option('--revision <sha>', 'and at this commit (a prefix is enough)')
    .option('--timeout <seconds>', 'how long to wait', '300')
    .addHelpText('after', '\nExample:\n  fairlead app wait guestbook-prod --revision $(git rev-parse HEAD)')
    .action(async (name: string, _flags, command: Command) => {
      const flags = command.optsWithGlobals<WaitFlags>();
      oneOf('--health', flags.health, [...healthCodes, 'any']);
      oneOf('--sync', flags.sync, ['Synced', 'OutOfSync', 'any']);
      const timeoutMs = timeoutOf(flags.timeout);
      const api = platformClient(flags);
      const id = await findApplication(api, name);
      const isDone = (row: ApplicationRow | undefined) => row !== undefined && isAsWanted(row, flags);
      const row = await awaitApplication(api, id, { isDone, timeoutMs });
      if (row) process.stdout.write(`${describe(row)}\n`);
    });
}

function isAsWanted(row: ApplicationRow, { health, sync, revision }: WaitFlags): boolean {
  const isHealthy = health === 'any' || row.health.status === health;
  const isSynced = sync === 'any' || row.sync.status === sync;
  return isHealthy && isSynced && (!revision || (row.sync.revision ?? '').startsWith(revision));
}

function describe({ id, health, sync, note }: ApplicationRow): string {
  const revision = sync.revision ? ` at ${sync.revision.slice(0, 7)}` : '';
  return `${id.name} is ${health.status} and ${sync.status}${revision}${note ? ` (${plain(note)})` : ''}`;
}

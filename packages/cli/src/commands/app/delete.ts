import { FairleadError } from '@fairlead/base';
import type { Command } from 'commander';
import { plain } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { confirm } from '../../prompt.ts';
import { awaitApplication, timeoutOf } from './await.ts';
import { findApplication } from './find.ts';
import { sayCommit } from './problems.ts';

interface DeleteFlags extends GlobalOptions {
  readonly yes?: boolean;
  readonly message?: string;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
  readonly timeout: string;
}

export function addAppDelete(app: Command): void {
  app
    .command('delete <name>')
    .description('remove an application from its Git Source, by a commit; says first what goes with it')
    .option('-y, --yes', 'do not ask; needed where there is no terminal')
    .option('-m, --message <text>', 'commit message')
    .option('--dry-run', 'only say what would go')
    .option('--wait', 'until it is gone')
    .option('--timeout <seconds>', 'how long to wait', '300')
    .action(async (name: string, _flags, command: Command) => {
      const flags = command.optsWithGlobals<DeleteFlags>();
      const timeoutMs = timeoutOf(flags.timeout);
      const api = platformClient(flags);
      const params = await findApplication(api, name);
      const { summary, resources, definition } = await api.call('getDeletionImpact', { params });
      process.stdout.write(`${plain(summary)}\n`);
      for (const { kind, namespace, name: resource } of resources) {
        process.stdout.write(plain(`  ${kind} ${namespace ? `${namespace}/` : ''}${resource}`).concat('\n'));
      }
      if (flags.dryRun) return;
      if (!flags.yes) {
        if (!process.stdin.isTTY)
          throw new FairleadError('bad_usage', 'say --yes to delete it; there is no terminal here');
        if (!(await confirm(`Commit & delete ${params.name}?`))) return;
      }
      const { message } = flags;
      const query = { base: definition.commit, ...(message ? { message } : {}) };
      const { commit } = await api.call('deleteApplication', { params, query });
      process.stdout.write(sayCommit(commit));
      if (!flags.wait) return;
      await awaitApplication(api, params, { isDone: (row) => row === undefined, timeoutMs });
      process.stdout.write(`${plain(params.name)} is gone\n`);
    });
}

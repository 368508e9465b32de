import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { FairleadError } from '@fairlead/base';
import type { Command } from 'commander';
import { databaseDirOf, findHome, runningUp } from '../home/index.ts';
import type { GlobalOptions } from '../platform-client.ts';

export function addReset(program: Command): void {
  program
    .command('reset')
    .description('delete everything of this home: database, cluster, repositories, logs')
    .option('--yes', 'do not ask')
    .action(async (_flags, command: Command) => {
      const flags = command.optsWithGlobals<GlobalOptions & { yes?: boolean }>();
      const home = findHome(flags.home, process.env);
      if (!existsSync(home.dataDir))
        throw new FairleadError('no_home', `${home.dir} is not a Fairlead home; nothing to delete`);
      const running = runningUp(home);
      if (running)
        throw new FairleadError(
          'running',
          `Fairlead runs in ${home.dir} (pid ${running.pid}); stop it first with fairlead down`,
        );
      if (!flags.yes && !(await confirm(home.dir))) {
        process.stdout.write('Nothing was deleted.\n');
        return;
      }
      const { stopLeftovers } = await import('../laptop/index.ts');
      await stopLeftovers(home);
      const files = ['data', 'logs', 'runtimes', 'api-key', 'kubeconfig', 'endpoints.json'].map((name) =>
        join(home.dir, name),
      );
      for (const path of [...files, databaseDirOf(home)]) rmSync(path, { recursive: true, force: true });
      process.stdout.write(`Deleted everything of ${home.dir}.\n`);
    });
}

async function confirm(dir: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new FairleadError('not_confirmed', 'this deletes everything; say --yes to confirm');
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await prompt.question(`Delete the database, cluster, repositories and logs in ${dir}? Type yes: `);
    return answer.trim() === 'yes';
  } finally {
    prompt.close();
  }
}

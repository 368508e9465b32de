import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { FairleadError } from '@fairlead/base';
import type { Command } from 'commander';
import { findHome, readApiKey, readEndpoints } from '../../home/index.ts';
import { programFile } from '../../own-files.ts';
import type { GlobalOptions } from '../../platform-client.ts';

export function addRepoClone(repo: Command): void {
  repo
    .command('clone <name> [dir]')
    .description('clone a repository of the built-in git server; pushes need no password')
    .addHelpText('after', '\nExample:\n  fairlead repo clone demo/guestbook')
    .action(async (name: string, dir: string | undefined, _flags, command: Command) => {
      if (!/^[\w.-]+\/[\w.-]+$/.test(name))
        throw new FairleadError('bad_usage', `name ${name}: must be ORGANISATION/REPOSITORY, e.g. demo/guestbook`);
      const home = findHome(command.optsWithGlobals<GlobalOptions>().home, process.env);
      const { git } = readEndpoints(home);
      const url = `${git}/${name.replace(/\.git$/, '')}.git`;
      // The clone asks us for the key each time; it is written nowhere else.
      const helper = `!${quoted(process.execPath)} ${quoted(programFile)} git-credential --home ${quoted(home.dir)}`;
      const target = dir ?? basename(name, '.git');
      await runGit(['clone', '--config', `credential.helper=${helper}`, '--', url, target]);
    });
}

/** What git asks of a credential helper: for `get`, user name and password on standard output. */
export function addGitCredential(program: Command): void {
  program
    .command('git-credential <operation>', { hidden: true })
    .option('--home <dir>')
    .action((operation: string, _flags, command: Command) => {
      if (operation !== 'get') return; // git also tells what worked and what did not; there is nothing to keep
      const home = findHome(command.optsWithGlobals<GlobalOptions>().home, process.env);
      process.stdout.write(`username=fairlead\npassword=${readApiKey(home)}\n`);
    });
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function runGit(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0
        ? resolve()
        : reject(
            new FairleadError(
              'git_failed',
              `git clone ended with ${code}, for the reason above; the built-in git server must run and have the repository`,
            ),
          ),
    );
  });
}

import type { Command } from 'commander';
import { cliVersion } from '../version.ts';

export function addVersion(program: Command): void {
  program
    .command('version')
    .description('the version of this command')
    .action(() => {
      process.stdout.write(`fairlead ${cliVersion()} (Node ${process.version}, ${process.platform}-${process.arch})\n`);
    });
}

import type { Command } from 'commander';
import { findHome } from '../home/index.ts';
import { styled } from '../output/index.ts';
import type { GlobalOptions } from '../platform-client.ts';

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check this machine and this home, and say what to do about what is wrong')
    .action(async (_flags, command: Command) => {
      const { examine } = await import('../doctor/index.ts');
      const findings = await examine(findHome(command.optsWithGlobals<GlobalOptions>().home, process.env));
      for (const { name, isWell, words } of findings) {
        const mark = isWell ? styled('green', '✓') : styled('red', '✗');
        process.stdout.write(`${mark} ${name}: ${words}\n`);
      }
      const ill = findings.filter(({ isWell }) => !isWell).length;
      process.stdout.write(ill === 0 ? 'Everything looks well.\n' : `${ill} of ${findings.length} need you.\n`);
      if (ill > 0) process.exitCode = 1;
    });
}

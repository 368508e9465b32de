import type { Command } from 'commander';
import { oneOf } from '../input.ts';
import { runRoles } from '../role-process.ts';
import { roleNames } from '../roles.ts';

export function addRole(program: Command): void {
  program
    .command('role <names> [settings...]')
    .description(`run one component (or several, separated by commas): ${roleNames.join(', ')}`)
    .allowUnknownOption()
    .passThroughOptions()
    .action((names: string, settings: string[]) => {
      for (const name of names.split(',')) oneOf('role', name, roleNames);
      return runRoles(names.split(','), settings);
    });
}

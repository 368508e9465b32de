import type { Command } from 'commander';
import { runRoles } from '../role-process.ts';
import { roleNames } from '../roles.ts';

export function addRole(program: Command): void {
  program
    .command('role <names> [settings...]')
    .description(`run one component (or several, separated by commas): ${roleNames.join(', ')}`)
    .allowUnknownOption()
    .passThroughOptions()
    .action((names: string, settings: string[]) => runRoles(names.split(','), settings));
}

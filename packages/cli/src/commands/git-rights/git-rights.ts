// Whether rights follow Git: told, and switched by a commit.
import type { AccessRules, GitRightsSetting } from '@fairlead/contracts';
import type { Command } from 'commander';
import { oneOf } from '../../input.ts';
import { parseFormat, render } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';

type GitRights = AccessRules['gitRights'];

const meanings: Readonly<Record<GitRightsSetting, string>> = {
  off: 'access rules alone decide',
  acts: 'members act on an application only where their Git token may',
  all: 'members see an application, and act on it, only where their Git token may',
};

const columns = [
  { title: 'ENFORCE', value: ({ enforce }: GitRights) => enforce },
  { title: 'COMMIT', value: ({ commit }: GitRights) => commit?.slice(0, 12) ?? '' },
  { title: 'MEANING', value: ({ enforce }: GitRights) => meanings[enforce] },
];

export function addGitRightsGet(gitRights: Command): void {
  gitRights
    .command('get')
    .description('whether rights follow Git, and the commit that made it so')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (_flags, command: Command) => {
      const { output, ...options } = command.optsWithGlobals<GlobalOptions & { output: string }>();
      const format = parseFormat(output);
      const { gitRights: found } = await platformClient(options).call('listAccessRules', {});
      process.stdout.write(render(format, found, [found], columns));
    });
}

export function addGitRightsSet(gitRights: Command): void {
  gitRights
    .command('set <enforce>')
    .description('off, acts, or all (what people see too), by a commit')
    .action(async (enforce: string, _flags, command: Command) => {
      const setting = oneOf('enforce', enforce, Object.keys(meanings) as GitRightsSetting[]); // its keys are the settings
      const body = { enforce: setting };
      await platformClient(command.optsWithGlobals<GlobalOptions>()).call('setGitRights', { body });
      process.stdout.write(`Git rights are ${setting}: ${meanings[setting]}\n`);
    });
}

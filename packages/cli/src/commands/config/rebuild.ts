import type { AccessRules } from '@fairlead/contracts';
import type { Command } from 'commander';
import { parseFormat, plain, render } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';

type Rule = AccessRules['items'][number];

const columns = [
  { title: 'RULE', value: (rule: Rule) => rule.name },
  { title: 'EFFECT', value: (rule: Rule) => rule.effect },
  { title: 'TEAMS', value: (rule: Rule) => rule.teams.join(',') },
  { title: 'FILE', value: (rule: Rule) => rule.file ?? '' },
  { title: 'COMMIT', value: (rule: Rule) => rule.commit?.slice(0, 12) ?? '' },
];

export function addConfigRebuild(config: Command): void {
  config
    .command('rebuild')
    .description('makes the access rules of the platform exactly what the Shared Configuration Repository holds')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (_flags, command: Command) => {
      const { output, ...options } = command.optsWithGlobals<GlobalOptions & { output: string }>();
      const format = parseFormat(output);
      const rules = await platformClient(options).call('rebuildAccessRules', {});
      process.stdout.write(render(format, rules, rules.items, columns));
      for (const { file, line, message } of rules.source?.problems ?? []) {
        process.stderr.write(`${plain(file)}:${line}: ${plain(message)}\n`);
      }
    });
}

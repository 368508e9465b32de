import { FairleadError } from '@fairlead/base';
import type { Command } from 'commander';

const shells = {
  bash: `_fairlead() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(fairlead __complete "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _fairlead fairlead cf
`,
  zsh: `#compdef fairlead cf
_fairlead() {
  local -a words_found
  words_found=("\${(@f)$(fairlead __complete "\${words[@]:1:CURRENT-2}")}")
  compadd -a words_found
}
compdef _fairlead fairlead cf
`,
  fish: `complete -c fairlead -f -a '(fairlead __complete (commandline -opc)[2..])'
complete -c cf -f -a '(fairlead __complete (commandline -opc)[2..])'
`,
} as const;

export function addCompletion(program: Command): void {
  program
    .command('completion <shell>')
    .description(`a completion script for ${Object.keys(shells).join(', ')}`)
    .addHelpText('after', '\nExample:\n  source <(fairlead completion bash)')
    .action((shell: string) => {
      const script = Object.entries(shells).find(([name]) => name === shell)?.[1];
      if (!script)
        throw new FairleadError(
          'bad_usage',
          `no completion for ${shell}; there is one for ${Object.keys(shells).join(', ')}`,
        );
      process.stdout.write(script);
    });
  program
    .command('__complete [words...]', { hidden: true })
    .allowUnknownOption()
    .action((words: string[]) => {
      process.stdout.write(`${completionsFor(program, words).join('\n')}\n`);
    });
}

/** Subcommands and flags of the command that the words lead to. */
export function completionsFor(program: Command, words: readonly string[]): string[] {
  let command = program;
  for (const word of words) command = command.commands.find((each) => each.name() === word) ?? command;
  const names = command.commands.map((each) => each.name()).filter((name) => !name.startsWith('__'));
  return [...names, ...command.options.flatMap(({ long }) => long ?? [])];
}

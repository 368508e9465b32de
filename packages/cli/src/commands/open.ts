import type { Command } from 'commander';
import { openBrowser } from '../open-browser.ts';
import { type GlobalOptions, platformClient } from '../platform-client.ts';

export function addOpen(program: Command): void {
  program
    .command('open')
    .description('a fresh sign-in link for the browser, opened when there is one')
    .option('--no-open', 'only print the link')
    .action(async (_flags, command: Command) => {
      const flags = command.optsWithGlobals<GlobalOptions & { open: boolean }>();
      const { url } = await platformClient(flags).call('createSignInLink', {});
      process.stdout.write(`${url}\n`);
      if (flags.open && process.stdout.isTTY) openBrowser(url);
    });
}

import { text } from 'node:stream/consumers';
import { FairleadError } from '@fairlead/base';
import { type GitProviderKind, gitProviders } from '@fairlead/contracts';
import type { Command } from 'commander';
import { assertUsername, gitProviderKinds, gitProviderOf, giveGitToken } from '../../git-token.ts';
import { plain } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { askSecret } from '../../prompt.ts';
import { chooseRuntime } from '../runtime/choose.ts';

interface AddFlags extends GlobalOptions {
  readonly runtime?: string;
  readonly provider?: string;
  readonly username?: string;
}

export function addGitTokenAdd(gitToken: Command): void {
  gitToken
    .command('add <host>')
    .description('give a runtime your Git token for a host (github.com, or a URL); read from a prompt or from stdin')
    .option('--runtime <name>', 'which runtime; needed when there are several')
    .option(
      '--provider <kind>',
      `${gitProviderKinds.join(', ')} (default: by the host of a public service, else other)`,
    )
    .option('--username <name>', 'for providers that want a user name beside the token')
    .addHelpText('after', '\nExample:\n  echo "$TOKEN" | fairlead git-token add github.com')
    .action(async (host: string, _flags, command: Command) => {
      const flags = command.optsWithGlobals<AddFlags>();
      const url = urlOf(host);
      const provider = parseProvider(flags.provider, url);
      const api = platformClient(flags);
      const runtime = await chooseRuntime(api, flags.runtime, flags);
      const given = process.stdin.isTTY ? await askSecret(`Token for ${url.host}: `) : await text(process.stdin);
      const token = given.trim();
      if (token === '')
        throw new FairleadError('bad_usage', 'no token was given; type it, or pipe it into the command');
      const { username } = flags;
      assertUsername(provider, username);
      const row = await giveGitToken(api, { runtime, url: url.origin, provider, token, username });
      const rights = row.scopes ? `, scopes ${row.scopes.join(', ') || 'none'}` : '';
      const ends = row.expiresAt ? `, ends ${row.expiresAt.slice(0, 10)}` : '';
      const who = row.user ? ` as ${row.user}` : '';
      process.stdout.write(`${plain(`${row.host}: token stored in ${runtime}${who}${rights}${ends}`)}\n`);
      if (row.problem) process.stderr.write(`${plain(row.problem)}\n`);
    });
}

function urlOf(host: string): URL {
  const address = host.includes('://') ? host : `https://${host}`;
  if (/^https?:\/\/[^/@?#\s]+\/?$/.test(address) && URL.canParse(address)) return new URL(address);
  throw new FairleadError('bad_usage', `host ${plain(host)}: must be a host or its URL, e.g. github.com`);
}

function parseProvider(named: string | undefined, { host }: URL): GitProviderKind {
  if (named !== undefined) return gitProviderOf('--provider', named);
  return gitProviderKinds.find((kind) => gitProviders[kind].url === `https://${host}`) ?? 'other';
}

import { FairleadError, systemClock } from '@fairlead/base';
import type { GitTokenRow } from '@fairlead/contracts';
import type { Command } from 'commander';
import { parseFormat, plain, render } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { chooseRuntime } from '../runtime/choose.ts';

const columns = [
  { title: 'HOST', value: ({ host }: GitTokenRow) => host },
  { title: 'PROVIDER', value: ({ provider }: GitTokenRow) => provider },
  { title: 'AS', value: ({ user }: GitTokenRow) => plain(user ?? '') },
  { title: 'STATUS', value: ({ status }: GitTokenRow) => status },
  { title: 'ENDS', value: ({ expiresAt }: GitTokenRow) => endOf(expiresAt) },
  { title: 'SCOPES', value: ({ scopes }: GitTokenRow) => plain(scopes?.join(',') ?? '') },
  { title: 'PROBLEM', value: ({ problem }: GitTokenRow) => plain(problem ?? '') },
];

/** `2026-11-20, in 5 days`. */
function endOf(expiresAt: string | undefined, nowMs = systemClock.now()): string {
  if (expiresAt === undefined) return '';
  const days = Math.ceil((Date.parse(expiresAt) - nowMs) / 86_400_000);
  const left = days < 1 ? 'over' : days === 1 ? 'within a day' : `in ${days} days`;
  return `${expiresAt.slice(0, 10)}, ${left}`;
}

export function addGitTokenList(gitToken: Command): void {
  gitToken
    .command('list')
    .description('your Git tokens in a runtime: host, rights, expiry; never the token')
    .option('--runtime <name>', 'which runtime; needed when there are several')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (_flags, command: Command) => {
      const { output, runtime, ...options } = command.optsWithGlobals<
        GlobalOptions & { output: string; runtime?: string }
      >();
      const format = parseFormat(output);
      const api = platformClient(options);
      const params = { runtime: await chooseRuntime(api, runtime, options) };
      const { items } = await api.call('listGitTokens', { params });
      process.stdout.write(render(format, { items }, items, columns));
    });
}

export function addGitTokenRemove(gitToken: Command): void {
  gitToken
    .command('remove <host>')
    .description('let a runtime forget your token for a host; revoke it at the provider too')
    .option('--runtime <name>', 'which runtime; needed when there are several')
    .action(async (host: string, _flags, command: Command) => {
      const { runtime: named, ...options } = command.optsWithGlobals<GlobalOptions & { runtime?: string }>();
      const api = platformClient(options);
      const runtime = await chooseRuntime(api, named, options);
      const { items } = await api.call('listGitTokens', { params: { runtime } });
      if (!items.some((row) => row.host === host)) {
        const hosts = items.map((row) => row.host).join(', ') || 'none';
        throw new FairleadError(
          'not_found',
          `host ${plain(host)}: you have no token for it in ${runtime}; you have: ${hosts}`,
        );
      }
      await api.call('deleteGitToken', { params: { runtime, host } });
      process.stdout.write(`${plain(host)}: token removed from ${runtime}; revoke it at the provider too\n`);
    });
}

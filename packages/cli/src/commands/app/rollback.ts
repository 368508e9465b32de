import { FairleadError } from '@fairlead/base';
import type { ApiClient, ApplicationId } from '@fairlead/contracts';
import type { Command } from 'commander';
import { plain } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';
import { awaitApplication, timeoutOf } from './await.ts';
import { findApplication } from './find.ts';
import { sayCommit } from './problems.ts';

interface RollbackFlags extends GlobalOptions {
  readonly how?: string;
  readonly message?: string;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
  readonly timeout: string;
}

export function addAppRollback(app: Command): void {
  app
    .command('rollback <name> [id]')
    .description('go back to an earlier release (id of app history; default: the one before the last)')
    .option('--how <way>', 'commit or engine; default: a commit while auto-sync is on, else the engine')
    .option('-m, --message <text>', 'commit message')
    .option('--dry-run', 'only say what would be done')
    .option('--wait', 'until the commit is deployed and healthy')
    .option('--timeout <seconds>', 'how long to wait', '300')
    .action(async (name: string, id: string | undefined, _flags, command: Command) => {
      const flags = command.optsWithGlobals<RollbackFlags>();
      const timeoutMs = timeoutOf(flags.timeout);
      const how = parseHow(flags.how);
      const api = platformClient(flags);
      const params = await findApplication(api, name);
      const historyId = id === undefined ? await releaseBefore(api, params) : parseId(id);
      const { message, dryRun = false } = flags;
      const body = { historyId, dryRun, ...(how ? { how } : {}), ...(message ? { message } : {}) };
      const receipt = await api.call('rollbackApplication', { params, body });
      process.stdout.write(`${plain(receipt.message)}\n`);
      for (const { path, change } of receipt.files) process.stdout.write(`  ${change} ${plain(path)}\n`);
      if (receipt.commit) process.stdout.write(sayCommit(receipt.commit));
      if (!flags.wait || dryRun) return;
      const revision = receipt.commit?.sha ?? receipt.revision;
      await awaitApplication(api, params, {
        isDone: (row) => row?.health.status === 'Healthy' && isAt(receipt.how, row.sync, revision),
        timeoutMs,
      });
      process.stdout.write(`${plain(params.name)} is Healthy\n`);
    });
}

/** Git has moved by a commit; by the engine it stays where it was, and the application differs from it. */
const isAt = (how: string, sync: { status: string; revision?: string }, revision: string): boolean =>
  how === 'engine' || (sync.status === 'Synced' && sync.revision === revision);

function parseHow(text: string | undefined): 'commit' | 'engine' | undefined {
  if (text === undefined || text === 'commit' || text === 'engine') return text;
  throw new FairleadError('bad_usage', `--how ${text}: must be commit or engine`);
}

function parseId(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new FairleadError('bad_usage', `id ${text}: must be a number of fairlead app history`);
}

async function releaseBefore(api: ApiClient, params: ApplicationId): Promise<number> {
  const { report } = await api.call('getApplication', { params });
  const before = report.history.at(-2);
  if (before) return before.id;
  throw new FairleadError(
    'not_found',
    `${params.name} has no earlier release; see fairlead app history ${params.name}`,
  );
}

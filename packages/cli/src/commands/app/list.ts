import { systemClock } from '@fairlead/base';
import { type ApplicationRow, type ApplicationSummary, healthCodes, type SyncCode } from '@fairlead/contracts';
import type { Command } from 'commander';
import { oneOf } from '../../input.ts';
import { age, parseFormat, plain, render } from '../../output/index.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';

const syncCodes: readonly SyncCode[] = ['Synced', 'OutOfSync', 'Unknown'];

const unseenWords = {
  rules:
    'no access rule lets you see applications; ask an administrator of the account for one, or for a team that has one',
  git: 'you see applications whose manifests your own Git token can read: none so far; fairlead git-token list shows your tokens, fairlead git-token add gives one',
} as const;

interface ListFlags extends GlobalOptions {
  readonly output: string;
  readonly search?: string;
  readonly health?: string;
  readonly sync?: string;
}

const columns = (nowMs: number) => [
  { title: 'NAME', value: (row: ApplicationRow) => row.id.name },
  { title: 'HEALTH', value: (row: ApplicationRow) => row.health.status },
  { title: 'SYNC', value: (row: ApplicationRow) => row.sync.status },
  { title: 'REVISION', value: (row: ApplicationRow) => row.sync.revision?.slice(0, 7) ?? '' },
  { title: 'RUNTIME', value: (row: ApplicationRow) => row.id.runtime },
  { title: 'TARGET', value: (row: ApplicationRow) => `${row.destination.cluster}/${row.destination.namespace}` },
  { title: 'CHANGED', value: (row: ApplicationRow) => age(row.changedAt, nowMs) },
  { title: 'NOTE', value: (row: ApplicationRow) => plain(row.note) },
];

export function addAppList(app: Command): void {
  app
    .command('list')
    .description('applications of all runtimes')
    .option('--search <text>', 'only those that match')
    .option('--health <list>', 'only with this health, e.g. Degraded,Missing')
    .option('--sync <list>', 'only with this sync status, e.g. OutOfSync')
    .option('-o, --output <format>', 'table, json or yaml', 'table')
    .action(async (_flags, command: Command) => {
      const { output, search, health, sync, ...options } = command.optsWithGlobals<ListFlags>();
      const format = parseFormat(output);
      allOf('--health', health, healthCodes);
      allOf('--sync', sync, syncCodes);
      const api = platformClient(options);
      const rows: ApplicationRow[] = [];
      let after: string | undefined;
      let unseen: ApplicationSummary['unseen'];
      do {
        const query = { search, health, sync, limit: 500, after, sort: 'name' as const };
        const page = await api.call('listApplications', { query: withoutUndefined(query) });
        rows.push(...page.items);
        after = page.next;
        unseen = page.summary.unseen;
      } while (after);
      process.stdout.write(render(format, { items: rows }, rows, columns(systemClock.now())));
      if (unseen) process.stderr.write(`${unseenWords[unseen]}\n`);
    });
}

function allOf(flag: string, list: string | undefined, allowed: readonly string[]): void {
  for (const each of list?.split(',') ?? []) oneOf(flag, each, allowed);
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as never; // keys kept
}

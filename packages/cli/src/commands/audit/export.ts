import { FairleadError } from '@fairlead/base';
import type { Command } from 'commander';
import { oneOf, writeOutput } from '../../input.ts';
import { type GlobalOptions, platformClient } from '../../platform-client.ts';

interface Flags {
  readonly format: string;
  readonly file?: string;
  readonly from?: string;
  readonly to?: string;
}

export function addAuditExport(audit: Command): void {
  audit
    .command('export')
    .description('the audit log, oldest first, to a file or the output')
    .option('--format <format>', 'json (one entry a line; can be verified) or csv', 'json')
    .option('--file <file>', 'where to write it')
    .option('--from <time>', 'from this moment on, e.g. 2026-11-15T10:00:00Z')
    .option('--to <time>', 'up to this moment')
    .action(async ({ format, file, from, to }: Flags, command: Command) => {
      const wanted = oneOf('--format', format, ['json', 'csv']);
      assertMoment('--from', from);
      assertMoment('--to', to);
      const api = platformClient(command.optsWithGlobals<GlobalOptions>());
      const query = { format: wanted, ...(from ? { from } : {}), ...(to ? { to } : {}) } as const;
      const text = await api.call('exportAudit', { query });
      if (file === undefined) process.stdout.write(text);
      else await writeOutput(file, text, '--file');
    });
}

function assertMoment(flag: string, text: string | undefined): void {
  if (text === undefined || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(text)) return;
  throw new FairleadError('bad_usage', `${flag} ${text}: must be a moment such as 2026-11-15T10:00:00Z`);
}

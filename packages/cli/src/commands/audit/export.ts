import { writeFile } from 'node:fs/promises';
import { FairleadError } from '@fairlead/base';
import type { Command } from 'commander';
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
      if (format !== 'json' && format !== 'csv') {
        throw new FairleadError('bad_usage', `--format ${format}: must be json or csv`);
      }
      const api = platformClient(command.optsWithGlobals<GlobalOptions>());
      const query = { format, ...(from ? { from } : {}), ...(to ? { to } : {}) } as const;
      const text = await api.call('exportAudit', { query });
      if (file === undefined) process.stdout.write(text);
      else await writeFile(file, text, { mode: 0o600 });
    });
}

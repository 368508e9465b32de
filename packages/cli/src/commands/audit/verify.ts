import { FairleadError } from '@fairlead/base';
import type { Command } from 'commander';
import { readInput } from '../../input.ts';

export function addAuditVerify(audit: Command): void {
  audit
    .command('verify')
    .description('checks an exported audit log without a server: nothing changed, left out or added')
    .requiredOption('--file <file>', 'JSON export (`fairlead audit export`, or /api/v1/audit/export)')
    .action(async ({ file }: { file: string }) => {
      const { verifyAuditExport } = await import('@fairlead/platform'); // heavy, and no other command needs it
      const verdict = verifyAuditExport(await readInput(file));
      if (!verdict.intact) {
        throw new FairleadError(
          'audit_broken',
          `--file ${file}, line ${verdict.line}: ${verdict.reason}; give an export as fairlead audit export wrote it`,
        );
      }
      const { entries, first, last, lastHash, fromStart } = verdict;
      const begin = fromStart
        ? 'from the first entry on'
        : `from entry ${first} on (what came before is not in the file)`;
      process.stdout.write(`intact: ${entries} entries, ${begin}, up to ${last}, whose hash is ${lastHash}\n`);
    });
}

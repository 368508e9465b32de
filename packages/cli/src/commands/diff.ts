// `fairlead diff`: two folders or files of manifests, object by object. Exit code 1 when something differs.
import type { Command } from 'commander';

export function addDiff(program: Command): void {
  program
    .command('diff <before> <after>')
    .description('what differs between two folders or files of manifests; exit code 1 when something does')
    .option('-o, --output <format>', 'text or json', 'text')
    .addHelpText('after', '\nExample:\n  fairlead diff overlays/staging overlays/production')
    .action(async (before: string, after: string, { output }: { output: string }) => {
      const { runDiff } = await import('../offline/index.ts');
      await runDiff(before, after, output);
    });
}

// `fairlead validate -f FILE`: whether manifests can be read, and whether Argo CD's own among them are as they must be.
import type { Command } from 'commander';

export function addValidate(program: Command): void {
  program
    .command('validate')
    .description('whether manifests can be read; exit code 1 when one cannot')
    .requiredOption('-f, --file <file>', 'YAML or JSON; - for standard input')
    .addHelpText('after', '\nExample:\n  fairlead validate -f application.yaml')
    .action(async ({ file }: { file: string }) => {
      const { runValidate } = await import('../offline/index.ts');
      await runValidate(file);
    });
}

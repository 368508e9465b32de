// `fairlead diff`: two folders or files of manifests, object by object. Exit code 1 when something differs.
import { readFileSync, statSync } from 'node:fs';
import { type Manifest, manifestsOfText, objectChanges, render } from '@fairlead/render';
import type { Command } from 'commander';
import { changeText, locateFolder } from '../offline/index.ts';

export function addDiff(program: Command): void {
  program
    .command('diff <before> <after>')
    .description('what differs between two folders or files of manifests; exit code 1 when something does')
    .option('-o, --output <format>', 'text or json', 'text')
    .addHelpText('after', '\nExample:\n  fairlead diff overlays/staging overlays/production')
    .action(async (before: string, after: string, { output }: { output: string }) => {
      const changes = objectChanges(await manifestsAt(before), await manifestsAt(after));
      process.stdout.write(
        output === 'json' ? `${JSON.stringify(changes, null, 2)}\n` : changes.map(changeText).join(''),
      );
      if (changes.length > 0) process.exitCode = 1;
    });
}

async function manifestsAt(place: string): Promise<readonly Manifest[]> {
  if (statSync(place).isFile()) return manifestsOfText(readFileSync(place, 'utf8'), place);
  const { tree, path } = locateFolder(place);
  return (await render({ tree, source: { repoURL: '', path } })).manifests;
}

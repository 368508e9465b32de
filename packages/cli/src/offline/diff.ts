// The work of `fairlead diff`.
import { statSync } from 'node:fs';
import { ChartRepositories, type Manifest, manifestsOfText, objectChanges, render } from '@fairlead/render';
import { readInput } from '../input.ts';
import { changeText } from './show.ts';
import { locateFolder } from './sources.ts';

export async function runDiff(before: string, after: string, output: string): Promise<void> {
  const changes = objectChanges(await manifestsAt(before), await manifestsAt(after));
  process.stdout.write(output === 'json' ? `${JSON.stringify(changes, null, 2)}\n` : changes.map(changeText).join(''));
  if (changes.length > 0) process.exitCode = 1;
}

async function manifestsAt(place: string): Promise<readonly Manifest[]> {
  if (statSync(place, { throwIfNoEntry: false })?.isFile()) return manifestsOfText(await readInput(place), place);
  const { tree, path } = locateFolder(place);
  return (await render({ tree, source: { repoURL: '', path }, charts: new ChartRepositories() })).manifests;
}

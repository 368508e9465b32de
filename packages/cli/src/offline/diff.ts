// The work of `fairlead diff`.
import { statSync } from 'node:fs';
import { ChartRepositories, type Manifest, objectChanges, render } from '@fairlead/render';
import { oneOf } from '../input.ts';
import { manifestsIn } from './manifests.ts';
import { changeText } from './show.ts';
import { locateFolder } from './sources.ts';

export async function runDiff(before: string, after: string, output: string): Promise<void> {
  const format = oneOf('--output', output, ['text', 'json']);
  const changes = objectChanges(await manifestsAt(before), await manifestsAt(after));
  process.stdout.write(format === 'json' ? `${JSON.stringify(changes, null, 2)}\n` : changes.map(changeText).join(''));
  if (changes.length > 0) process.exitCode = 1;
}

async function manifestsAt(place: string): Promise<readonly Manifest[]> {
  if (statSync(place, { throwIfNoEntry: false })?.isFile()) return manifestsIn(place, 'file');
  const { tree, path } = locateFolder(place);
  return (await render({ tree, source: { repoURL: '', path }, charts: new ChartRepositories() })).manifests;
}

// How offline commands show manifests and what differs between them.
import { type Manifest, manifestText, type ObjectChange } from '@fairlead/render';
import { diffLines, plain, styled } from '../output/index.ts';

export const manifestsYaml = (manifests: readonly Manifest[]): string =>
  manifests.map((manifest) => `---\n${manifestText(manifest)}`).join('');

const sortedLines = (manifest: Manifest | undefined): string[] =>
  manifest ? manifestText(manifest).trimEnd().split('\n') : [];

const titleOf = ({ group, kind, namespace, name }: ObjectChange): string =>
  plain(`${[kind, group].filter(Boolean).join('.')} ${namespace ? `${namespace}/` : ''}${name}`);

/** One object: what happens to it, and its lines before and after. */
export function changeText(change: ObjectChange): string {
  const lines = diffLines(sortedLines(change.before), sortedLines(change.after)).map(({ sign, text }) => {
    const line = `${sign} ${plain(text)}`;
    return sign === '+' ? styled('green', line) : sign === '-' ? styled('red', line) : line;
  });
  return `${titleOf(change)}: ${change.change}\n${lines.map((line) => `${line}\n`).join('')}`;
}

// Whether acts need the Git rights of who acts. Pure: text → what is wrong with it, if anything.
import { checker, GitRightsManifest } from '@fairlead/contracts';
import { load } from 'js-yaml';
import { layout } from './layout.ts';

export const gitRightsFolder = `${layout.resources}/configurations`;
export const gitRightsFileName = 'git-rights.yaml';

const checkManifest = checker(GitRightsManifest);

/** Undefined: it says `enforce: acts`. A file that cannot be read counts as if it did: nobody gains by breaking it. */
export function gitRightsProblem(text: string): string | undefined {
  try {
    const checked = checkManifest(load(text));
    if (checked.ok) return undefined;
    const [{ field, reason } = { field: '', reason: 'is not as it should be' }] = checked.problems;
    return `${field || 'the file'} ${reason}`;
  } catch (error) {
    return `is not valid YAML: ${String((error as Error).message).split('\n')[0]}`;
  }
}

// Whether rights follow Git: for acts, or for what people see too. Pure: text ⇄ setting.
import { checker, type GitRightsEnforced, GitRightsManifest, gitRightsKind } from '@fairlead/contracts';
import { load } from 'js-yaml';
import { layout } from './layout.ts';
import { writeManifest } from './manifest-text.ts';

export const gitRightsFile = `${layout.resources}/configurations/git-rights.yaml`;

const checkManifest = checker(GitRightsManifest);

export interface ReadGitRights {
  readonly enforce: GitRightsEnforced;
  readonly problem?: string;
}

/** A file that cannot be read counts as the strictest: nobody gains by breaking it. */
export function readGitRights(text: string): ReadGitRights {
  try {
    const checked = checkManifest(load(text));
    if (checked.ok) return { enforce: checked.value.spec.enforce };
    const [{ field, reason } = { field: '', reason: 'is not as it should be' }] = checked.problems;
    return { enforce: 'all', problem: `${field || 'the file'} ${reason}` };
  } catch (error) {
    return { enforce: 'all', problem: `is not valid YAML: ${String((error as Error).message).split('\n')[0]}` };
  }
}

export const writeGitRights = (enforce: GitRightsEnforced): string =>
  writeManifest({ ...gitRightsKind, metadata: { name: 'git-rights' }, spec: { enforce } });

import { TerminalError } from '@fairlead/base';

const segment = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

/** `org/name` as a path of an API; anything that could lead elsewhere is refused. */
export function repositoryPath(fullName: string): string {
  return checkedPath(fullName, { least: 2, most: 2, form: '"organisation/name"' });
}

/** Groups within groups (GitLab), or none at all (Gerrit). */
export function nestedRepositoryPath(fullName: string, { least }: { least: 1 | 2 }): string {
  return checkedPath(fullName, { least, most: 20, form: least === 1 ? 'a project name' : '"group/name"' });
}

function checkedPath(fullName: string, { least, most, form }: { least: number; most: number; form: string }): string {
  const segments = fullName.split('/');
  const isPath = segments.length >= least && segments.length <= most && segments.every((part) => segment.test(part));
  if (isPath && !fullName.includes('..')) return fullName;
  throw new TerminalError('provider_invalid_name', `${JSON.stringify(fullName)} is not ${form}`);
}

/** A path of a file or a ref in a web address: slashes stay, everything else is escaped. */
export const escapePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

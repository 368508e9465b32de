import { TerminalError } from '@fairlead/base';

const segment = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

/** `org/name` as a path of an API; anything that could lead elsewhere is refused. */
export function repositoryPath(fullName: string): string {
  const [organisation = '', name = '', ...rest] = fullName.split('/');
  if (rest.length > 0 || !segment.test(organisation) || !segment.test(name) || fullName.includes('..'))
    throw new TerminalError('provider_invalid_name', `${JSON.stringify(fullName)} is not "organisation/name"`);
  return `${organisation}/${name}`;
}

/** A path of a file or a ref in a web address: slashes stay, everything else is escaped. */
export const escapePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

export const pageSize = (limit: number | undefined): string => String(Math.min(100, Math.max(1, limit ?? 50)));

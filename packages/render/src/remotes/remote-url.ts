// The ways in which kustomizations name folders of other repositories: `https://host/org/repo//path?ref=v1`,
// `git@host:org/repo.git//path?ref=v1`, `github.com/org/repo/path?ref=v1`, each with `git::` in front or not. Pure.

export interface RemoteFolder {
  readonly url: string;
  readonly path: string;
  /** Branch, tag or commit; 'HEAD' when none is named. */
  readonly revision: string;
}

const withScheme = /^([a-z][a-z0-9+.-]*:\/\/[^/]*\/)(.*)$/is;
const scpLike = /^([^/@]+@[^/:]+:)(.*)$/s;
const hostOnly = /^([^/]+\.[a-z]+\/)(.*)$/is;

/** Undefined when no repository can be told from the text. */
export function parseRemote(entry: string): RemoteFolder | undefined {
  const [address = '', query = ''] = entry.replace(/^git::/, '').split(/\?(.*)/s);
  const [, base, rest] = withScheme.exec(address) ?? scpLike.exec(address) ?? hostOnly.exec(address) ?? [];
  if (base === undefined || rest === undefined) return undefined;
  const { repository, path } = splitPath(rest);
  if (repository === '') return undefined;
  const params = new URLSearchParams(query);
  const revision = params.get('ref') || params.get('version') || 'HEAD';
  const host = base.includes('://') || base.includes('@') ? base : `https://${base}`;
  return { url: `${host}${repository}`, path: path.replace(/^\/+|\/+$/g, ''), revision };
}

/** The repository ends with `.git`, at a double slash, or after its second name. */
function splitPath(rest: string): { repository: string; path: string } {
  const [, named, below = ''] = /^(.*?\.git)(?:\/(.*))?$/s.exec(rest) ?? [];
  if (named !== undefined) return { repository: named, path: below };
  const at = rest.indexOf('//');
  if (at >= 0) return { repository: rest.slice(0, at), path: rest.slice(at + 2) };
  const names = rest.split('/');
  return { repository: names.slice(0, 2).join('/'), path: names.slice(2).join('/') };
}

// Which repository and which git service a request path means. Anything else is not found; nothing outside the folder
// of repositories can be named.

export interface RepositoryRequest {
  /** `org/name`, without `.git`. */
  readonly repository: string;
  /** `/info/refs`, `/git-upload-pack` or `/git-receive-pack`. */
  readonly resource: string;
}

const segment = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const resources = /^\/(?:info\/refs|git-upload-pack|git-receive-pack)$/;

export const isRepositoryName = (text: unknown): text is string =>
  typeof text === 'string' && segment.test(text) && !text.includes('..') && !/\.(?:git|lock)$/.test(text);

/** `org/name` or `org/name.git` → `org/name`. */
export function parseRepositoryName(text: string): string | undefined {
  const [org = '', file = '', ...rest] = text.split('/');
  const name = file.replace(/\.git$/, '');
  return rest.length === 0 && isRepositoryName(org) && isRepositoryName(name) ? `${org}/${name}` : undefined;
}

export function parseRepositoryPath(path: string): RepositoryRequest | undefined {
  const [, org = '', file = '', ...rest] = path.split('/');
  const repository = parseRepositoryName(`${org}/${file}`);
  const resource = `/${rest.join('/')}`;
  return repository !== undefined && resources.test(resource) ? { repository, resource } : undefined;
}

// Which repository and which git service a request path means. Anything else is not found; nothing outside the folder
// of repositories can be named.

export interface RepositoryRequest {
  /** `org/name`, without `.git`. */
  readonly repository: string;
  /** The rest, as git http-backend wants it: `/info/refs`, `/git-upload-pack`, `/objects/…`. */
  readonly resource: string;
}

const segment = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const resources = /^\/(?:info\/refs|git-upload-pack|git-receive-pack)$/;

export function parseRepositoryPath(path: string): RepositoryRequest | undefined {
  const [, org = '', file = '', ...rest] = path.split('/');
  const name = file.replace(/\.git$/, '');
  const isName = (text: string) => segment.test(text) && !text.includes('..') && !/\.(?:git|lock)$/.test(text);
  const resource = `/${rest.join('/')}`;
  if (!isName(org) || !isName(name) || !resources.test(resource)) return undefined;
  return { repository: `${org}/${name}`, resource };
}

// The address of a Shared Configuration Repository: `<repo>.git[/<path>][?ref=<branch>]`.
import { InvalidRepositoryUrlError, parseRepositoryUrl, redactUrl } from '@fairlead/git';
import { InvalidConfigurationError } from './errors.ts';

export interface SharedConfigAddress {
  readonly repoURL: string;
  /** Folder of the repository, '' for its root; never begins or ends with a slash. */
  readonly path: string;
  readonly branch: string;
}

const defaultBranch = 'main';
const field = 'sharedConfigRepo';
const grammar = /^(?<repository>.+?\.git)(?:\/(?<path>[^?]*))?(?:\?(?<query>.*))?$/;

export function parseSharedConfigUrl(text: string): SharedConfigAddress {
  const { repository = '', path = '', query } = grammar.exec(text.trim())?.groups ?? {};
  if (repository === '') {
    throw new InvalidConfigurationError(
      field,
      `${redactUrl(text)} is not of the form <repository>.git[/<path>][?ref=<branch>], e.g. https://git.example.com/platform/config.git/team-a?ref=main`,
    );
  }
  return {
    repoURL: assertHttpRepository(field, repository),
    path: assertFolder(field, path),
    branch: branchOf(query),
  };
}

export function formatSharedConfigUrl({ repoURL, path, branch }: SharedConfigAddress): string {
  return `${repoURL}${path === '' ? '' : `/${path}`}${branch === defaultBranch ? '' : `?ref=${branch}`}`;
}

/** Credentials belong into the runtime, not into an address that everybody reads. */
export function assertHttpRepository(named: string, url: string): string {
  let parsed: ReturnType<typeof parseRepositoryUrl>;
  try {
    parsed = parseRepositoryUrl(url);
  } catch (error) {
    if (error instanceof InvalidRepositoryUrlError) throw new InvalidConfigurationError(named, error.message);
    throw error;
  }
  if (parsed.protocol === 'ssh') {
    throw new InvalidConfigurationError(
      named,
      `Invalid URL: ${redactUrl(url)} is an SSH address; give the HTTPS address of the repository (https://…/<repository>.git)`,
    );
  }
  if (parsed.username || parsed.password) {
    throw new InvalidConfigurationError(
      named,
      'has a user or password in it; give the address alone, and the token on its own',
    );
  }
  return url;
}

/** A folder of a repository, relative to its root. */
export function assertFolder(named: string, path: string): string {
  const folder = path.replaceAll(/^\/+|\/+$/g, '');
  const isPlain = folder.split('/').every((part) => folder === '' || (part !== '' && part !== '.' && part !== '..'));
  if (!isPlain || folder.includes('\\')) {
    throw new InvalidConfigurationError(named, `${path} is no folder of a repository; write it like teams/payments`);
  }
  return folder;
}

function branchOf(query: string | undefined): string {
  if (query === undefined) return defaultBranch;
  const given = new URLSearchParams(query);
  const [unknown] = [...given.keys()].filter((key) => key !== 'ref');
  const branch = given.get('ref') ?? '';
  if (unknown !== undefined || branch === '') {
    throw new InvalidConfigurationError(field, `after ? only ref=<branch> may stand, not ${query}`);
  }
  return branch;
}

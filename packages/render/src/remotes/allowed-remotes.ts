// Repositories on a list, through the mirrors that all sources use. Nothing else is reached: a kustomization is written
// by whoever may push to one repository, and must not thereby make this process read any other.
import { type Clock, systemClock } from '@fairlead/base';
import { type GitCredentials, type GitMirrors, normalizeRepositoryUrl, redactUrl } from '@fairlead/git';
import { RenderError } from '../errors.ts';
import { GitTree } from '../tree/index.ts';
import type { RemoteReference, RemoteTree, RemoteTrees } from './remote-trees.ts';

interface AllowedRemotesDeps {
  /** Addresses; each holds for itself and everything below it, `*` for everything. */
  readonly allowed: readonly string[];
  readonly mirrors: GitMirrors;
  readonly credentialsFor: (url: string) => GitCredentials | undefined;
  /** What the application's project lets it read; all when not given. */
  readonly permits?: ((repository: string) => boolean) | undefined;
  readonly clock?: Clock;
}

/** What was read of a remote within this time is new enough. */
const shareMs = 60_000;

export class AllowedRemotes implements RemoteTrees {
  readonly #deps: AllowedRemotesDeps;

  constructor(deps: AllowedRemotesDeps) {
    this.#deps = deps;
  }

  async open(
    { url, revision }: RemoteReference,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<RemoteTree> {
    const { allowed, mirrors, credentialsFor, permits, clock = systemClock } = this.#deps;
    if (!isAllowed(url, allowed)) throw notAllowed(url, allowed);
    if (permits && !permits(url))
      throw new RenderError(`${redactUrl(url)}: the project of the application does not permit this repository`, {
        code: 'remote_not_allowed',
      });
    const asOfMs = clock.monotonic() - shareMs;
    const commit = await mirrors.resolve(url, revision, { credentials: credentialsFor(url), asOfMs, signal });
    return { commit, tree: await GitTree.ofCommit(await mirrors.repository(url), commit) };
  }
}

export function notAllowed(url: string, allowed: readonly string[]): RenderError {
  const list = allowed.length === 0 ? 'the list is empty' : `the list: ${allowed.join(', ')}`;
  return new RenderError(
    `remote resource ${redactUrl(url)} is not on the list of repositories that kustomizations may build on (engineKustomizeRemotes); ${list}`,
    { code: 'remote_not_allowed' },
  );
}

/** Names that a server may read as others are on no list. */
const isDevious = (url: string): boolean => /(?:^|\/)\.{1,2}(?:\/|$)|[%\\]/.test(url);

function isAllowed(url: string, allowed: readonly string[]): boolean {
  if (isDevious(url)) return false;
  const wanted = normalizeRepositoryUrl(url);
  return allowed.some((one) => {
    if (one === '*') return true;
    const prefix = normalizeRepositoryUrl(one);
    return wanted === prefix || wanted.startsWith(`${prefix}/`);
  });
}

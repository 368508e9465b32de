// From an application's source to manifests: revision → commit → tree → render. Failures are the typed errors of `git`
// and `render`; nothing is retried here.
import type { ApplicationSource, RevisionMetadata } from '@fairlead/contracts';
import type { GitCredentials, GitMirrors } from '@fairlead/git';
import { GitTree, type Renderer, type RenderResult } from '@fairlead/render';

export interface LoadedSource {
  /** The commit, 40 hex digits. */
  readonly revision: string;
  readonly rendered: RenderResult;
}

interface LoadOptions {
  readonly signal: AbortSignal;
  /** In place of the source's own targetRevision. */
  readonly revision?: string | undefined;
  /** Monotonic time: what was read from the remote since then is fresh enough. Default: now. */
  readonly asOfMs?: number | undefined;
  /** A push was announced: fetch without asking first whether there is news. */
  readonly fetchFirst?: boolean;
  /** Render again whatever the cache says. */
  readonly fresh?: boolean;
}

interface SourceLoaderDeps {
  readonly mirrors: GitMirrors;
  readonly renderer: Renderer;
  readonly credentialsFor: (url: string) => GitCredentials | undefined;
}

export class SourceLoader {
  readonly #deps: SourceLoaderDeps;

  constructor(deps: SourceLoaderDeps) {
    this.#deps = deps;
  }

  async load(source: ApplicationSource, options: LoadOptions): Promise<LoadedSource> {
    const { mirrors, renderer, credentialsFor } = this.#deps;
    const { signal, asOfMs, fetchFirst = false, fresh = false } = options;
    const wanted = options.revision || source.targetRevision || 'HEAD';
    const credentials = credentialsFor(source.repoURL);
    const revision = await mirrors.resolve(source.repoURL, wanted, { credentials, signal, asOfMs, fetchFirst });
    const repository = await mirrors.repository(source.repoURL);
    const tree = await GitTree.ofCommit(repository, revision);
    return { revision, rendered: await renderer.render({ tree, source }, { signal, fresh }) };
  }

  /** Whether the repository can be read, with these credentials or the stored ones. */
  async probe(url: string, given: GitCredentials | undefined, signal: AbortSignal): Promise<void> {
    const { mirrors, credentialsFor } = this.#deps;
    await mirrors.resolve(url, 'HEAD', { credentials: given ?? credentialsFor(url), signal });
  }

  async revisionMetadata(url: string, revision: string, signal: AbortSignal): Promise<RevisionMetadata> {
    const { mirrors, credentialsFor } = this.#deps;
    const commit = await mirrors.resolve(url, revision, { credentials: credentialsFor(url), signal });
    const repository = await mirrors.repository(url);
    const { authorName, authorEmail, date, message } = await repository.commitMetadata(commit);
    const tags = await repository.tagsAt(commit, { signal });
    return { author: `${authorName} <${authorEmail}>`, date, message, ...(tags.length > 0 ? { tags } : {}) };
  }
}

// Author, date and message of a revision never change, so each is asked for once: of the engine, which has just read it,
// and of the source server where the engine does not tell.
import { BoundedCache, FairleadError } from '@fairlead/base';
import type { Application, CommitReport, RevisionMetadata } from '@fairlead/contracts';
import { type ArgoCdClient, EngineRefusedError } from '../argo-cd/index.ts';
import type { SourceClient } from '../source-server/index.ts';
import { lastChangeOf, type NamedCommit } from './change-revisions.ts';

const capacity = 2_000;
const maxMessageLength = 1_000;

interface Wanted extends NamedCommit {
  readonly signal: AbortSignal;
}

export class CommitCache {
  readonly #engine: Pick<ArgoCdClient, 'revisionMetadata'>;
  readonly #sources: Pick<SourceClient, 'ask'> | undefined;
  readonly #commits = new BoundedCache<string, CommitReport>(capacity);

  constructor(engine: Pick<ArgoCdClient, 'revisionMetadata'>, sources?: Pick<SourceClient, 'ask'>) {
    this.#engine = engine;
    this.#sources = sources;
  }

  /** Undefined for charts and for applications without a revision; only the revision when the engine does not know more. */
  async commitOf(application: Application, { signal }: { signal: AbortSignal }): Promise<CommitReport | undefined> {
    const revision = application.status?.sync?.revision;
    const source = application.spec.source ?? application.spec.sources?.[0];
    if (!revision || !source || source.chart) return undefined;
    return this.#named(application, { source, index: 0, revision, signal });
  }

  /** The commit that last changed the application, where that is another one than `commitOf` gives. */
  async changeOf(application: Application, { signal }: { signal: AbortSignal }): Promise<CommitReport | undefined> {
    const change = lastChangeOf(application);
    if (!change || change.revision === application.status?.sync?.revision) return undefined;
    return this.#named(application, { ...change, signal });
  }

  async #named(application: Application, wanted: Wanted): Promise<CommitReport> {
    const { source, revision } = wanted;
    const key = `${source.repoURL} ${revision}`;
    const known = this.#commits.get(key);
    if (known) return known;
    const metadata = await this.#metadata(application, wanted);
    if (!metadata) return { revision }; // not remembered: it may be known a moment later
    const { author, date, message } = metadata;
    const url = commitUrl(source.repoURL, revision);
    return this.#remember(key, {
      revision,
      ...(message ? { message: message.slice(0, maxMessageLength) } : {}),
      ...(author ? { author } : {}),
      ...(date ? { date } : {}),
      ...(url ? { url } : {}),
    });
  }

  async #metadata(
    { metadata }: Application,
    { source, index, revision, signal }: Wanted,
  ): Promise<RevisionMetadata | undefined> {
    const name = { namespace: metadata.namespace ?? '', name: metadata.name };
    try {
      // The engine is asked about the first source only.
      if (index === 0) return await this.#engine.revisionMetadata(name, revision, { signal });
    } catch (error) {
      if (!(error instanceof EngineRefusedError)) throw error;
    }
    try {
      return await this.#sources?.ask('revision', { repoURL: source.repoURL, revision }, { signal });
    } catch (error) {
      if (!(error instanceof FairleadError)) throw error;
      return undefined;
    }
  }

  #remember(key: string, commit: CommitReport): CommitReport {
    this.#commits.set(key, commit);
    return commit;
  }
}

/** Where people can look at the commit, for hosts whose addresses are known. */
function commitUrl(repoUrl: string, revision: string): string | undefined {
  const match = /^https:\/\/(?:[^@/]+@)?(github\.com|gitlab\.com|bitbucket\.org)\/(.+?)(?:\.git)?\/?$/.exec(repoUrl);
  if (!match) return undefined;
  const [, host, path] = match;
  const segment = host === 'bitbucket.org' ? 'commits' : host === 'gitlab.com' ? '-/commit' : 'commit';
  return `https://${host}/${path}/${segment}/${revision}`;
}

// Author, date and message of a revision never change, so each is asked for once.
import type { Application, CommitReport } from '@fairlead/contracts';
import { type ArgoCdClient, EngineRefusedError } from '../argo-cd/index.ts';

const capacity = 2_000;
const maxMessageLength = 1_000;

export class CommitCache {
  readonly #engine: Pick<ArgoCdClient, 'revisionMetadata'>;
  readonly #commits = new Map<string, CommitReport>();

  constructor(engine: Pick<ArgoCdClient, 'revisionMetadata'>) {
    this.#engine = engine;
  }

  /** Undefined for charts and for applications without a revision; only the revision when the engine does not know more. */
  async commitOf(application: Application, { signal }: { signal: AbortSignal }): Promise<CommitReport | undefined> {
    const revision = application.status?.sync?.revision;
    const source = application.spec.source ?? application.spec.sources?.[0];
    if (!revision || !source || source.chart) return undefined;
    const key = `${source.repoURL} ${revision}`;
    const known = this.#commits.get(key);
    if (known) return known;
    const name = { namespace: application.metadata.namespace ?? '', name: application.metadata.name };
    try {
      const { author, date, message } = await this.#engine.revisionMetadata(name, revision, { signal });
      const url = commitUrl(source.repoURL, revision);
      return this.#remember(key, {
        revision,
        ...(message ? { message: message.slice(0, maxMessageLength) } : {}),
        ...(author ? { author } : {}),
        ...(date ? { date } : {}),
        ...(url ? { url } : {}),
      });
    } catch (error) {
      // Not remembered: it may be known a moment later.
      if (error instanceof EngineRefusedError) return { revision };
      throw error;
    }
  }

  #remember(key: string, commit: CommitReport): CommitReport {
    if (this.#commits.size >= capacity) {
      const [oldest] = this.#commits.keys();
      if (oldest !== undefined) this.#commits.delete(oldest);
    }
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

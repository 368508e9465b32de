// Looks at the rules of the Shared Configuration Repository that a runtime follows, with what its engine reads with. The
// remote is asked for its branch each time; files are read only when the branch moved.
import type { AccessRulesReport, Application } from '@fairlead/contracts';
import type { GitCredentials, GitMirrors } from '@fairlead/git';
import { configurationApplicationName, sharedConfigOf } from '../configuration/index.ts';
import { AccessRuleFiles } from './read-access-rules.ts';

interface LookDeps {
  readonly mirrors: GitMirrors;
  readonly applications: () => readonly Application[];
  readonly credentials: (repoURL: string) => GitCredentials | undefined;
  readonly runtime: string;
  /** Of a git server that tells the engine of every push. */
  readonly announcingGitUrl: string | undefined;
}

export class AccessRulesLook {
  readonly #deps: LookDeps;
  readonly #files = new AccessRuleFiles();
  #repoURL = '';
  #last: { readonly at: string; readonly report: AccessRulesReport } | undefined;

  constructor(deps: LookDeps) {
    this.#deps = deps;
  }

  /** Whether somebody says when there is something to see. */
  get isAnnounced(): boolean {
    const { announcingGitUrl } = this.#deps;
    return announcingGitUrl !== undefined && this.#repoURL.startsWith(`${announcingGitUrl}/`);
  }

  /** Whether a change of this Application may come from a commit there. */
  concerns(name: string): boolean {
    return name === configurationApplicationName(this.#deps.runtime);
  }

  /** Undefined while the runtime follows no repository. Throws while that cannot be read: what was reported stands. */
  async look({ signal }: { signal: AbortSignal }): Promise<AccessRulesReport | undefined> {
    const { mirrors, applications, credentials, runtime } = this.#deps;
    const application = applications().find(({ metadata }) => this.concerns(metadata.name));
    const address = application && sharedConfigOf(application, runtime);
    if (!address) return undefined;
    const { repoURL, branch, path } = address;
    this.#repoURL = repoURL;
    const commit = await mirrors.resolve(repoURL, branch, { credentials: credentials(repoURL), signal });
    const at = [repoURL, path, branch, commit].join(' ');
    if (this.#last?.at === at) return this.#last.report;
    const repository = await mirrors.repository(repoURL);
    const report = await this.#files.read(repository, { address, commit }, { signal });
    this.#last = { at, report };
    return report;
  }
}

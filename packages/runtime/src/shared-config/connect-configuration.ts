// Connects a runtime with its Shared Configuration Repository: the second step of the set-up. Each part may be there
// already (several runtimes share one repository, and a set-up that broke off is done again): what is there stays.
import type { AssertionClaims, CommitReceipt } from '@fairlead/contracts';
import { isSameRepository } from '@fairlead/git';
import {
  firstFiles,
  formatSharedConfigUrl,
  type GitSource,
  gitSourceApplication,
  gitSourceFile,
  InvalidConfigurationError,
  placed,
  type RuntimePlace,
  type SharedConfigAddress,
  writeManifest,
} from '../configuration/index.ts';
import type { GitAccess, GitHosting } from '../git-access/index.ts';
import type { RepositoryCredentials } from './repository-credentials.ts';
import type { SharedConfig } from './shared-config.ts';

interface ConnectDeps {
  readonly sharedConfig: SharedConfig;
  readonly git: GitAccess;
  readonly hosting: GitHosting;
  readonly repositoryCredentials: RepositoryCredentials;
}

interface Wanted {
  readonly runtime: string;
  readonly address: SharedConfigAddress;
  readonly gitSource: GitSource | undefined;
}

interface Acting {
  readonly user: AssertionClaims;
  readonly signal: AbortSignal;
}

export class ConnectConfiguration {
  readonly #deps: ConnectDeps;

  constructor(deps: ConnectDeps) {
    this.#deps = deps;
  }

  async connect({ runtime, address, gitSource }: Wanted, acting: Acting) {
    const { sharedConfig } = this.#deps;
    const { user, signal } = acting;
    if (gitSource && isSameRepository(gitSource.repoURL, address.repoURL)) {
      throw new InvalidConfigurationError(
        'gitSource.repoURL',
        'must be another repository than the Shared Configuration Repository',
      );
    }
    await sharedConfig.assertFree(runtime, address, { signal });
    const created = await this.#repositories([address.repoURL, ...(gitSource ? [gitSource.repoURL] : [])], acting);
    const commits: CommitReceipt[] = [];
    if (gitSource && created.includes(gitSource.repoURL)) commits.push(await this.#begin(gitSource, acting));
    const place = { runtime, namespace: sharedConfig.namespace, sharedConfig: address };
    const files = await sharedConfig.missing(user, place, filesOf(place, gitSource), { signal });
    const message = `Set up runtime ${runtime}${gitSource ? ` and its Git Source ${gitSource.name}` : ''}`;
    if (Object.keys(files).length > 0) {
      commits.push(await sharedConfig.commit(user, place, { files, message }, { signal }));
    }
    await sharedConfig.follow(runtime, address, { signal });
    return { sharedConfigRepo: formatSharedConfigUrl(address), created, commits };
  }

  /** Those that were made; all of them can be read by the engine afterwards. */
  async #repositories(urls: readonly string[], { user, signal }: Acting): Promise<string[]> {
    const { hosting, repositoryCredentials } = this.#deps;
    const created: string[] = [];
    for (const url of urls) {
      if (await hosting.ensureRepository(user.sub, url, { signal })) created.push(url);
      const credentials = await hosting.credentials(user.sub, new URL(url).host, { signal });
      await repositoryCredentials.ensure(credentials, { signal });
    }
    return created;
  }

  #begin({ name, repoURL, branch, path }: GitSource, { user, signal }: Acting): Promise<CommitReceipt> {
    const changes = [{ path: placed(path, 'README.md'), content: firstReadme(name) }];
    return this.#deps.git.commit(
      user,
      { repoURL, branch, changes, message: `Begin the Git Source ${name}` },
      { signal },
    );
  }
}

function filesOf(place: RuntimePlace, gitSource: GitSource | undefined): Record<string, string> {
  const files = firstFiles(place, writeManifest);
  if (!gitSource) return files;
  const manifest = gitSourceApplication(gitSource, { namespace: place.namespace });
  return { ...files, [gitSourceFile(place.runtime, gitSource.name)]: writeManifest(manifest) };
}

export const firstReadme = (name: string): string => `# ${name}

The folder of the Git Source \`${name}\`: each file is a manifest, usually an Argo CD Application. Add one, and it is deployed.
`;

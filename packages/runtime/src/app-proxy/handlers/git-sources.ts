import {
  type Application,
  type AssertionClaims,
  asApplication,
  type GitSourceLimits,
  type GitSourceSettings,
} from '@fairlead/contracts';
import { isSameRepository, RepositoryUnreachableError, RevisionNotFoundError, redactUrl } from '@fairlead/git';
import {
  assertName,
  type GitSource,
  type GitSourceInput,
  gitSourceApplication,
  gitSourceFile,
  gitSourceOf,
  InvalidConfigurationError,
  placed,
  type RuntimePlace,
  readGitSource,
  readManifest,
  writeManifest,
} from '../../configuration/index.ts';
import { GitAccessError } from '../../git-access/index.ts';
import { previewFiles } from '../../git-source-preview/index.ts';
import { firstReadme } from '../../shared-config/index.ts';
import { ProxyError } from '../errors.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';
import { ownName } from './own-name.ts';
import { Restriction } from './restriction.ts';

type Names =
  | 'createGitSource'
  | 'getGitSource'
  | 'updateGitSource'
  | 'deleteGitSource'
  | 'previewGitSource'
  | 'previewGitSourceLimits';

interface Acting {
  readonly user: AssertionClaims;
  readonly signal: AbortSignal;
}

interface FoundSource {
  readonly place: RuntimePlace;
  readonly file: string;
  readonly text: string;
  readonly baseSha: string;
  readonly application: Application;
  readonly source: GitSource;
}

export function gitSourceHandlers(deps: HandlerDeps): HandlersOf<Names> {
  const restriction = new Restriction(deps);
  const { sharedConfig, git, hosting } = deps;

  const find = async (name: string, { user, signal }: Acting): Promise<FoundSource> => {
    const runtime = ownName(deps);
    const place = await sharedConfig.require(runtime, { signal });
    const file = gitSourceFile(runtime, assertName('name', name));
    const found = await sharedConfig.readFile(user, place, file, { signal });
    if (!found)
      throw new ProxyError(
        'not_found',
        `there is no Git Source ${name} in ${file} of the Shared Configuration Repository`,
      );
    const application = asApplication(readManifest(found.text, file));
    const source = gitSourceOf(application);
    if (!source) throw new ProxyError('invalid', `${file}: is not a Git Source; it lacks the label of one`);
    return { place, file, text: found.text, baseSha: found.commit, application, source };
  };

  /** The repository must be readable with the user's token, and have the branch and the folder. */
  const assertThere = async ({ repoURL, branch, path }: GitSource, { user, signal }: Acting): Promise<void> => {
    const { repository, commit } = await git
      .read(user, { repoURL, revision: branch }, { signal })
      .catch((error: unknown) => Promise.reject(ofField(error, { repoURL, branch })));
    if (path !== '' && !(await repository.tree(commit, path))) {
      throw new InvalidConfigurationError(
        'path',
        `${repoURL} has no folder ${path} at ${branch}; create it, or leave path empty`,
      );
    }
  };

  return {
    async createGitSource({ body, user, signal }) {
      const runtime = ownName(deps);
      const place = await sharedConfig.require(runtime, { signal });
      const { restricted } = body;
      const read = readGitSource(defined(body));
      const source = restricted ? { ...read, applicationsProject: read.name } : read;
      assertAllowed(source, place);
      const projects = restriction.files(source, restricted, place);
      if (restricted) await restriction.assertPossible(source.name, { place, user, signal });
      const file = gitSourceFile(runtime, source.name);
      const isTaken =
        (await sharedConfig.hasApplication(source.name, { signal })) ||
        (await sharedConfig.readFile(user, place, file, { signal })) !== undefined;
      if (isTaken) {
        throw new ProxyError(
          'conflict',
          `name: an application or Git Source named ${source.name} is there already; choose another name`,
          {
            details: { field: 'name' },
          },
        );
      }
      if (body.createRepository && (await hosting.ensureRepository(user.sub, source.repoURL, { signal }))) {
        const { repoURL, branch, path, name } = source;
        const changes = [{ path: placed(path, 'README.md'), content: firstReadme(name) }];
        await git.commit(user, { repoURL, branch, changes, message: `Begin the Git Source ${name}` }, { signal });
      }
      await assertThere(source, { user, signal });
      const text = writeManifest(gitSourceApplication(source, { namespace: place.namespace }));
      const message = body.message || `Add Git Source ${source.name} to runtime ${runtime}`;
      const files = { ...projects, [file]: text };
      const commit = await sharedConfig.commit(user, place, { files, message }, { signal });
      return { gitSource: settingsOf(source, restricted), commit };
    },

    async getGitSource({ params, user, signal }) {
      const { place, source, file, text, baseSha } = await find(params.gitSource, { user, signal });
      const limits = await restriction.read(source, { place, user, signal });
      return { gitSource: settingsOf(source, limits), file, text, baseSha };
    },

    async updateGitSource({ params, body, user, signal }) {
      const { place, file, application, source, baseSha } = await find(params.gitSource, { user, signal });
      const { baseSha: base = baseSha, message, restricted, ...changes } = body;
      const next = readGitSource({ ...source, ...defined(changes) });
      assertAllowed(next, place);
      const known = await restriction.read(source, { place, user, signal });
      if (restricted && !known) {
        const reason = `Git Source ${next.name} has no limits, and cannot get any later`;
        throw new InvalidConfigurationError('restricted', `${reason}; make another one that is restricted`);
      }
      const limits = restricted ?? known;
      const projects = restriction.files(next, limits, place);
      await assertThere(next, { user, signal });
      const text = writeManifest(gitSourceApplication(next, { namespace: place.namespace, before: application }));
      const files = { ...projects, [file]: text };
      const change = { files, message: message || `Change Git Source ${next.name}`, base };
      return {
        gitSource: settingsOf(next, limits),
        commit: await sharedConfig.commit(user, place, change, { signal }),
      };
    },

    async deleteGitSource({ params, user, signal }) {
      const { place, file, source } = await find(params.gitSource, { user, signal });
      const message = `Remove Git Source ${source.name} from runtime ${place.runtime}`;
      return { commit: await sharedConfig.commit(user, place, { files: { [file]: null }, message }, { signal }) };
    },

    async previewGitSourceLimits({ body: { restricted, ...named }, signal }) {
      const place = await sharedConfig.require(ownName(deps), { signal });
      const source = readGitSource(named);
      assertAllowed(source, place);
      const [file] = Object.entries(restriction.files(source, restricted, place));
      const [path = '', text = ''] = file ?? [];
      return { path: placed(place.sharedConfig.path, path), text };
    },

    async previewGitSource({ query, user, signal }) {
      const source = readGitSource(defined({ ...query, name: 'preview' }));
      const { repoURL, branch: revision } = source;
      const { repository, commit } = await git.read(user, { repoURL, revision }, { signal });
      const { files, more } = await previewFiles(repository, { commit, ...source });
      return { commit, files, more };
    },
  };
}

/** A Git Source over the configuration itself would bring the runtime's own Applications a second time. */
function assertAllowed({ repoURL }: GitSource, { sharedConfig }: RuntimePlace): void {
  if (!isSameRepository(repoURL, sharedConfig.repoURL)) return;
  throw new InvalidConfigurationError(
    'repoURL',
    `${repoURL} is the Shared Configuration Repository, which may not be a Git Source; use a repository of your own`,
  );
}

function settingsOf(source: GitSource, restricted?: GitSourceLimits): GitSourceSettings {
  const { applicationsProject: _kept, ...settings } = source;
  return { ...settings, ...(restricted ? { restricted } : {}) };
}

/** Absent members must not overwrite what is there. */
function defined<T extends object>(given: T): T & GitSourceInput {
  const members = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members) as T & GitSourceInput; // names and types are kept
}

/** The field of the Git Source that is to be mended, where the failure is about one. */
function ofField(error: unknown, { repoURL, branch }: Pick<GitSource, 'repoURL' | 'branch'>): unknown {
  if (!(error instanceof GitAccessError)) return error;
  const { cause } = error;
  if (cause instanceof RevisionNotFoundError)
    return new InvalidConfigurationError(
      'branch',
      `${redactUrl(repoURL)} has no branch ${branch}; push it, or give one that is there`,
    );
  if (cause instanceof RepositoryUnreachableError)
    return new GitAccessError(error.code, `repoURL: ${error.message}`, { cause, details: { field: 'repoURL' } });
  return error;
}

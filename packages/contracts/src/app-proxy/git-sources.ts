// Git Sources of a runtime: files of the Shared Configuration Repository, changed by commits of the acting user. A plain
// commit by hand gives the same result.
import { type Static, Type } from 'typebox';
import { CommitReceipt } from './commit.ts';
import { appProxyApi, appProxyRoute } from './route.ts';

const text = Type.String();
const short = Type.String({ maxLength: 500 });
const optionalShort = Type.Optional(short);
const gitSourceName = Type.Object({ gitSource: text });

const kinds = Type.Optional(
  Type.Array(
    Type.Object({ group: Type.String({ maxLength: 253 }), kind: Type.String({ minLength: 1, maxLength: 253 }) }),
    { maxItems: 200 },
  ),
);

/** What applications of a restricted Git Source may do; rules and names as in Argo CD's AppProject. */
export const GitSourceLimits = Type.Object({
  /** Globs; `!` denies. */
  sourceRepos: Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), { minItems: 1, maxItems: 200 }),
  /** By server or by name of the cluster. Never the namespaces of the runtime itself. */
  destinations: Type.Array(
    Type.Object({
      server: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
      namespace: Type.String({ minLength: 1, maxLength: 253 }),
    }),
    { minItems: 1, maxItems: 200 },
  ),
  /** Kinds of the cluster: none unless listed. */
  clusterResourceWhitelist: kinds,
  clusterResourceBlacklist: kinds,
  /** Kinds in namespaces: all unless a list says otherwise. */
  namespaceResourceWhitelist: kinds,
  namespaceResourceBlacklist: kinds,
});
export type GitSourceLimits = Static<typeof GitSourceLimits>;

export const GitSourceSettings = Type.Object({
  name: text,
  /** HTTPS only. */
  repoURL: text,
  branch: text,
  /** '' for the root of the repository. */
  path: text,
  include: text,
  exclude: text,
  /** Absent for a Git Source without limits of its own. */
  restricted: Type.Optional(GitSourceLimits),
});
export type GitSourceSettings = Static<typeof GitSourceSettings>;

const changes = {
  repoURL: Type.Optional(Type.String({ maxLength: 2048 })),
  branch: optionalShort,
  path: optionalShort,
  include: optionalShort,
  exclude: optionalShort,
};
/** Given whole: what is left out is not kept. A Git Source cannot become restricted later, nor stop being it. */
const restricted = Type.Optional(GitSourceLimits);
const saved = Type.Object({ gitSource: GitSourceSettings, commit: CommitReceipt });

export const gitSourceRoutes = {
  createGitSource: appProxyRoute({
    method: 'POST',
    path: `${appProxyApi}/git-sources`,
    summary: 'Adds a Git Source by a commit; with `createRepository` its repository is made first.',
    auth: 'user',
    needs: 'admin',
    act: 'git-source.create',
    status: 201,
    body: Type.Object({
      ...changes,
      name: text,
      repoURL: Type.String({ maxLength: 2048 }),
      createRepository: Type.Optional(Type.Boolean()),
      restricted,
      /** Of the commit. */
      message: optionalShort,
    }),
    response: saved,
  }),
  getGitSource: appProxyRoute({
    method: 'GET',
    path: `${appProxyApi}/git-sources/{gitSource}`,
    summary: 'A Git Source as Git has it, with the commit it was read at.',
    auth: 'user',
    needs: 'member',
    act: 'git-source.get',
    params: gitSourceName,
    response: Type.Object({ gitSource: GitSourceSettings, file: text, text, baseSha: text }),
  }),
  updateGitSource: appProxyRoute({
    method: 'PATCH',
    path: `${appProxyApi}/git-sources/{gitSource}`,
    summary: 'Changes a Git Source by a commit; its name cannot be changed.',
    auth: 'user',
    needs: 'admin',
    act: 'git-source.update',
    params: gitSourceName,
    body: Type.Object({
      ...changes,
      restricted,
      /** The commit that the editor looked at: a file that changed since is a conflict. */
      baseSha: Type.Optional(Type.String({ pattern: '^[0-9a-f]{40}$' })),
      message: optionalShort,
    }),
    response: saved,
  }),
  deleteGitSource: appProxyRoute({
    method: 'DELETE',
    path: `${appProxyApi}/git-sources/{gitSource}`,
    summary: 'Removes a Git Source by a commit. Its applications go on, and are no longer managed by it.',
    auth: 'user',
    needs: 'admin',
    act: 'git-source.delete',
    params: gitSourceName,
    response: Type.Object({ commit: CommitReceipt }),
  }),
  previewGitSourceLimits: appProxyRoute({
    method: 'POST',
    path: `${appProxyApi}/git-source-limits-preview`,
    summary:
      'The AppProjects that would keep these limits, as they would be committed; refused by field. Nothing is written.',
    auth: 'user',
    needs: 'admin',
    act: 'git-source.preview-limits',
    reads: true,
    body: Type.Object({ name: text, repoURL: Type.String({ maxLength: 2048 }), restricted: GitSourceLimits }),
    response: Type.Object({
      /** In the Shared Configuration Repository. */
      path: text,
      text,
    }),
  }),
  previewGitSource: appProxyRoute({
    method: 'GET',
    path: `${appProxyApi}/git-source-preview`,
    summary: 'Which files of a repository a Git Source with these settings would take, and what is in them.',
    auth: 'user',
    needs: 'member',
    act: 'git-source.preview',
    query: Type.Object({ ...changes, repoURL: Type.String({ maxLength: 2048 }) }),
    response: Type.Object({
      /** Of the branch, now. */
      commit: text,
      /** In order of path, 1,000 at most. */
      files: Type.Array(
        Type.Object({
          path: text,
          included: Type.Boolean(),
          /** `Application guestbook-dev` and so on; of included files. */
          holds: Type.Optional(Type.Array(text)),
          /** Why it cannot be read; of included files. */
          problem: Type.Optional(text),
        }),
      ),
      more: Type.Boolean(),
    }),
  }),
} as const;

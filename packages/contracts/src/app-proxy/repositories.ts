// Repositories as the acting user may see them, with their own Git token for the host.
import { type Static, Type } from 'typebox';
import { appProxyApi, appProxyRoute } from './route.ts';

const text = Type.String();
const optionalText = Type.Optional(text);
const repoURL = Type.String({ minLength: 1, maxLength: 1000 });

export const GitRepositoryRow = Type.Object({
  /** `org/name` */
  fullName: text,
  cloneUrl: text,
  webUrl: text,
  defaultBranch: text,
  private: Type.Boolean(),
});
export type GitRepositoryRow = Static<typeof GitRepositoryRow>;

export const GitFileRow = Type.Object({
  name: text,
  kind: Type.Union([Type.Literal('folder'), Type.Literal('file')]),
});
export type GitFileRow = Static<typeof GitFileRow>;

export const repositoryRoutes = {
  listRepositories: appProxyRoute({
    method: 'GET',
    path: `${appProxyApi}/repositories`,
    summary: 'Repositories that the own Git token for the host can see, a page at a time.',
    auth: 'user',
    needs: 'member',
    act: 'repository.list',
    query: Type.Object({
      /** `github.com`, `localhost:3018` */
      host: Type.String({ minLength: 1, maxLength: 260 }),
      organisation: optionalText,
      /** Part of the name. */
      search: optionalText,
      cursor: optionalText,
    }),
    response: Type.Object({ items: Type.Array(GitRepositoryRow), next: optionalText }),
  }),
  listBranches: appProxyRoute({
    method: 'GET',
    path: `${appProxyApi}/repository-branches`,
    summary: 'Branches of a repository.',
    auth: 'user',
    needs: 'member',
    act: 'repository.branches',
    query: Type.Object({ repoURL }),
    response: Type.Object({ items: Type.Array(text), defaultBranch: optionalText }),
  }),
  listFiles: appProxyRoute({
    method: 'GET',
    path: `${appProxyApi}/repository-files`,
    summary: 'What is in a folder of a repository at a branch, tag or commit.',
    auth: 'user',
    needs: 'member',
    act: 'repository.files',
    query: Type.Object({
      repoURL,
      /** Default: the default branch. */
      revision: optionalText,
      /** Default: the root. */
      path: optionalText,
    }),
    response: Type.Object({ commit: text, items: Type.Array(GitFileRow) }),
  }),
} as const;

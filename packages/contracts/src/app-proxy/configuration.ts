// The Shared Configuration Repository of a runtime: connecting it is the second step of the set-up. The acting user's own
// Git token (`putGitToken`) makes repositories and commits; the engine reads with the same token from then on.
import { Type } from 'typebox';
import { CommitReceipt } from './commit.ts';
import { appProxyApi, appProxyRoute } from './route.ts';

const text = Type.String();

export const configurationRoutes = {
  getConfiguration: appProxyRoute({
    method: 'GET',
    path: `${appProxyApi}/configuration`,
    summary: 'Where the configuration of the runtime comes from.',
    auth: 'user',
    needs: 'member',
    act: 'configuration.get',
    response: Type.Object({
      /** `<repo>.git[/<path>][?ref=<branch>]`; absent until one is connected. */
      sharedConfigRepo: Type.Optional(text),
    }),
  }),
  listGitOrganisations: appProxyRoute({
    method: 'GET',
    path: `${appProxyApi}/git-organisations`,
    summary: 'Organisations at a Git host that the own token may make repositories in.',
    auth: 'user',
    needs: 'member',
    act: 'git-organisation.list',
    query: Type.Object({ host: text }),
    response: Type.Object({
      items: Type.Array(Type.Object({ name: text, avatarUrl: Type.Optional(text) })),
    }),
  }),
  connectConfiguration: appProxyRoute({
    method: 'POST',
    path: `${appProxyApi}/configuration`,
    summary:
      'Connects the Shared Configuration Repository and makes the first Git Source; repositories that are missing are made.',
    auth: 'user',
    needs: 'admin',
    act: 'configuration.connect',
    status: 201,
    body: Type.Object({
      /** `<repo>.git[/<path>][?ref=<branch>]`. */
      sharedConfigRepo: Type.String({ maxLength: 2048 }),
      gitSource: Type.Optional(
        Type.Object({
          /** Default `default`. */
          name: Type.Optional(text),
          repoURL: Type.String({ maxLength: 2048 }),
          path: Type.Optional(text),
        }),
      ),
    }),
    response: Type.Object({
      sharedConfigRepo: text,
      /** Repositories that were made. */
      created: Type.Array(text),
      commits: Type.Array(CommitReceipt),
    }),
  }),
} as const;

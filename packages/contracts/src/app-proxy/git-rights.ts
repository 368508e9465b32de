// Rights that follow Git (S-AZ-3): what the caller's own Git token may read, and the switch for it in the Shared Configuration
// Repository. The platform asks for lists; who may act is judged by the runtime itself.
import { type Static, Type } from 'typebox';
import { GitRightsSetting } from '../api/access.ts';
import { CommitReceipt } from './commit.ts';
import { appProxyApi, appProxyRoute } from './route.ts';

/** Of repositories in one question. */
export const maxGitRightsAsked = 50;

const repository = Type.String({ minLength: 1, maxLength: 1000 });

export const GitReadAnswer = Type.Object({
  repository,
  read: Type.Boolean(),
  /** How long ago the Git server said so. */
  ageMs: Type.Integer({ minimum: 0 }),
  /** The server gave no answer now: `read` is what it said last, as far as that may still be relied on. */
  silent: Type.Boolean(),
});
export type GitReadAnswer = Static<typeof GitReadAnswer>;

export const gitRightsRoutes = {
  askGitRights: appProxyRoute({
    method: 'POST',
    path: `${appProxyApi}/git-rights`,
    summary: 'Which of these repositories the own Git token can read; in the order of the question.',
    auth: 'user',
    needs: 'member',
    act: 'git-rights.ask',
    reads: true,
    body: Type.Object({
      repositories: Type.Array(repository, { minItems: 1, maxItems: maxGitRightsAsked }),
      /** What the Git server said longer ago is asked anew; default: as long as it may be relied on. */
      maxAgeMs: Type.Optional(Type.Integer({ minimum: 60_000 })),
    }),
    response: Type.Object({ items: Type.Array(GitReadAnswer) }),
  }),
  saveGitRights: appProxyRoute({
    method: 'PUT',
    path: `${appProxyApi}/git-rights`,
    summary: 'Whether rights follow Git (off, for acts, for what people see too): a file, by a commit.',
    auth: 'user',
    needs: 'admin',
    act: 'git-rights.commit',
    body: Type.Object({ enforce: GitRightsSetting }),
    response: Type.Object({ commit: CommitReceipt }),
  }),
} as const;

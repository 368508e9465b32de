// What the caller's own Git token may read: whose it is comes from the assertion alone.
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

export const gitRightsHandlers = ({ gitRights }: HandlerDeps): HandlersOf<'askGitRights'> => ({
  async askGitRights({ body, user, signal }) {
    const { repositories, maxAgeMs } = body;
    return { items: await gitRights.readable(user, { repositories, maxAgeMs }, { signal }) };
  },
});

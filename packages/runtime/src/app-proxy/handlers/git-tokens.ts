// The caller's own Git tokens: whose they are comes from the assertion alone, never from the request.
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

type Names = 'getSealingKey' | 'listGitTokens' | 'putGitToken' | 'deleteGitToken';

export const gitTokenHandlers = ({ gitTokens }: HandlerDeps): HandlersOf<Names> => ({
  async getSealingKey() {
    return { key: await gitTokens.publicKey() };
  },
  async listGitTokens({ user, signal }) {
    return { items: await gitTokens.list(user.sub, { signal }) };
  },
  putGitToken({ params: { host }, body, user, signal }) {
    const { provider, url = `https://${host}`, username, sealed } = body;
    return gitTokens.put({ userId: user.sub, host, provider, url, username, sealed }, { signal });
  },
  async deleteGitToken({ params: { host }, user, signal }) {
    await gitTokens.remove(user.sub, host, { signal });
    return null;
  },
});

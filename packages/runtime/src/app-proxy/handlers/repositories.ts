// Repositories, branches and folders as the acting user's own token shows them.
import { ProxyError } from '../errors.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

type Names = 'listRepositories' | 'listBranches' | 'listFiles';

export const repositoryHandlers = ({ git }: HandlerDeps): HandlersOf<Names> => ({
  async listRepositories({ query: { host, organisation, search, cursor }, user, signal }) {
    const provider = await git.provider(user, host.toLowerCase(), { signal });
    const page = await provider.listRepositories({ organisation, search }, { cursor }, { signal });
    const items = page.items.map((repository) => ({ ...repository }));
    return { items, ...(page.nextCursor ? { next: page.nextCursor } : {}) };
  },
  async listBranches({ query: { repoURL }, user, signal }) {
    const { names, defaultBranch } = await git.branches(user, repoURL, { signal });
    return { items: [...names], ...(defaultBranch ? { defaultBranch } : {}) };
  },
  async listFiles({ query: { repoURL, revision = '', path = '' }, user, signal }) {
    const { repository, commit } = await git.read(user, { repoURL, revision }, { signal });
    const entries = await repository.tree(commit, path);
    if (!entries) throw new ProxyError('not_found', `path: there is no folder ${path} at ${revision || 'HEAD'}`);
    const items = entries.map(({ name, kind }) => ({ name, kind: kind === 'tree' ? 'folder' : 'file' }) as const);
    return { commit, items };
  },
});

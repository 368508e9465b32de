import { formatSharedConfigUrl, parseSharedConfigUrl, readGitSource } from '../../configuration/index.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';
import { ownName } from './own-name.ts';

type Names = 'getConfiguration' | 'listGitOrganisations' | 'connectConfiguration';

const firstGitSource = 'default';

export function configurationHandlers(deps: HandlerDeps): HandlersOf<Names> {
  const { sharedConfig, hosting, connectConfiguration } = deps;
  return {
    async getConfiguration({ signal }) {
      const place = await sharedConfig.find(ownName(deps), { signal });
      return place ? { sharedConfigRepo: formatSharedConfigUrl(place.sharedConfig) } : {};
    },
    async listGitOrganisations({ query, user, signal }) {
      const items = await hosting.organisations(user.sub, query.host, { signal });
      return { items: items.map(({ name, avatarUrl }) => ({ name, ...(avatarUrl ? { avatarUrl } : {}) })) };
    },
    async connectConfiguration({ body, user, signal }) {
      const runtime = ownName(deps);
      const address = parseSharedConfigUrl(body.sharedConfigRepo);
      const gitSource = body.gitSource && readGitSource({ name: firstGitSource, ...body.gitSource });
      return connectConfiguration.connect({ runtime, address, gitSource }, { user, signal });
    },
  };
}

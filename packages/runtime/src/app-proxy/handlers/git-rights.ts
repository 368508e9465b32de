// Rights that follow Git: what the caller's own Git token may read (whose it is comes from the assertion alone), and the
// switch for it, which is a file of the Shared Configuration Repository.
import { gitRightsFile, writeGitRights } from '../../configuration/index.ts';
import { ProxyError } from '../errors.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';
import { ownName } from './own-name.ts';

export function gitRightsHandlers(deps: HandlerDeps): HandlersOf<'askGitRights' | 'saveGitRights'> {
  const { gitRights, sharedConfig } = deps;
  return {
    async askGitRights({ body, user, signal }) {
      const { repositories, maxAgeMs } = body;
      return { items: await gitRights.readable(user, { repositories, maxAgeMs }, { signal }) };
    },
    async saveGitRights({ body: { enforce }, user, signal }) {
      const place = await sharedConfig.require(ownName(deps), { signal });
      const { report, commit: base } = await sharedConfig.readAccessRules(user, place, { signal });
      if (enforce === 'off' && !report.gitRights) {
        throw new ProxyError('not_found', `rights do not follow Git: there is no ${gitRightsFile} to remove`);
      }
      const files = { [gitRightsFile]: enforce === 'off' ? null : writeGitRights(enforce) };
      const message = {
        off: 'Rights follow access rules alone',
        acts: 'Acts need Git rights',
        all: 'What people see and do follows their Git rights',
      }[enforce];
      return { commit: await sharedConfig.commit(user, place, { files, message, base }, { signal }) };
    },
  };
}

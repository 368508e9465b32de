import { runtimeRows } from '../../store/index.ts';
import { upgradeOf, withOwn } from '../../versions/index.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

export function versionHandlers({ store, access, version, versionFeed }: HandlerDeps): HandlersOf<'listVersions'> {
  return {
    async listVersions({ caller }) {
      const known = withOwn(version, versionFeed.versions);
      const told = (running: string) => {
        const upgrade = upgradeOf(running, known);
        return { version: running, ...(upgrade ? { upgrade } : {}) };
      };
      const runtimes = await runtimeRows(store.db, { accountId: caller.account.id, sight: await access.sight(caller) });
      return {
        platform: told(version),
        runtimes: runtimes.map(({ name, report }) => ({ name, ...(report ? told(report.version) : {}) })),
        feed: versionFeed.state,
      };
    },
  };
}

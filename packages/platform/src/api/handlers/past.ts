import { type ApplicationId, seesAll } from '@fairlead/contracts';
import type { Kysely } from 'kysely';
import { applicationAt, compareMoments, listDeployments, type PastApplication, timelineOf } from '../../past/index.ts';
import { type Database, findRuntime } from '../../store/index.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';
import { unknownApplication } from './unknown.ts';

type Names = 'listDeployments' | 'listAllDeployments' | 'getApplicationTimeline' | 'diffApplication';

const defaultLimit = 50;

export function pastHandlers({ store: { db, clock }, access }: HandlerDeps): HandlersOf<Names> {
  const now = () => new Date(clock.now());
  return {
    async listDeployments({ caller, params, query }) {
      const accountId = caller.account.id;
      const application = await pastKey(db, accountId, params);
      // Whether the application may be seen was asked before.
      return listDeployments(db, { accountId, visibility: seesAll, application, limit: defaultLimit, ...query });
    },
    async listAllDeployments({ caller, query }) {
      const seen = { accountId: caller.account.id, visibility: await access.visibility(caller) };
      return listDeployments(db, { ...seen, limit: defaultLimit, ...query });
    },
    async getApplicationTimeline({ caller, params, query }) {
      const key = await pastKey(db, caller.account.id, params);
      return timelineOf(db, { ...key, limit: defaultLimit, ...query, now: now() });
    },
    async diffApplication({ caller, params, query }) {
      const { from, to = now().toISOString() } = query;
      const [before, after] = await Promise.all([
        pastOf(db, caller.account.id, { ...params, at: from }),
        pastOf(db, caller.account.id, { ...params, at: to }),
      ]);
      return compareMoments(before, after);
    },
  };
}

export type Moment = ApplicationId & { readonly at: string };

/** The application as it was; one that was not there at that moment is not there. */
export async function pastOf(db: Kysely<Database>, accountId: string, moment: Moment): Promise<PastApplication> {
  const found = await applicationAt(db, { ...(await pastKey(db, accountId, moment)), at: moment.at });
  if (!found) throw unknownApplication(moment);
  return found;
}

async function pastKey(db: Kysely<Database>, accountId: string, id: ApplicationId) {
  const runtime = await findRuntime(db, { accountId, name: id.runtime });
  if (!runtime) throw unknownApplication(id);
  return { accountId, runtimeId: runtime.id, key: `${id.namespace}/${id.name}` };
}

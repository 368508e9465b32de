import { findRuntime, workloadDetails, workloadRows } from '../../store/index.ts';
import { ApiFailure } from '../failure.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';

const defaultLimit = 200;
/** One application's; with their manifests they stay below some MiB. */
const maxOfApplication = 200;

export function workloadHandlers({ store }: HandlerDeps): HandlersOf<'listWorkloads' | 'listApplicationWorkloads'> {
  const { db } = store;
  const runtimeOf = async (accountId: string, name: string) => {
    const runtime = await findRuntime(db, { accountId, name });
    if (!runtime) throw new ApiFailure('not_found', `there is no runtime ${name}`);
    return runtime;
  };
  return {
    async listApplicationWorkloads({ caller, params, query }) {
      const { runtime: name, ...application } = params;
      const runtime = await runtimeOf(caller.account.id, name);
      return { items: await workloadDetails(db, { ...query, runtime, application, limit: maxOfApplication }) };
    },
    async listWorkloads({ caller, params, query }) {
      const runtime = await runtimeOf(caller.account.id, params.runtime);
      return { items: await workloadRows(db, { limit: defaultLimit, ...query, runtime }) };
    },
  };
}

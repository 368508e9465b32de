// Asks a runtime which repositories the Git token of a user can read, as the platform's own question for a list of theirs.
import { FairleadError, newId } from '@fairlead/base';
import { appProxyRoutes, checker, type GitReadAnswer } from '@fairlead/contracts';
import type { GitQuestion } from '../access/index.ts';
import { runtimeById } from '../store/index.ts';
import { type ActDeps, relayCall } from './relay.ts';

const route = appProxyRoutes.askGitRights;
const checkAnswer = checker(route.response);

export async function askGitRights(
  deps: ActDeps,
  { caller, runtimeId, repositories, maxAgeMs }: GitQuestion,
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly GitReadAnswer[]> {
  const runtime = await runtimeById(deps.store.db, runtimeId);
  if (!runtime) throw new FairleadError('not_found', `there is no runtime ${runtimeId}`);
  const body = { repositories, maxAgeMs };
  const call = { runtime, route, params: {}, query: undefined, body, caller, requestId: newId('req'), signal };
  const answer = checkAnswer(await relayCall(deps, call));
  if (answer.ok) return answer.value.items;
  throw new FairleadError('internal', `runtime ${runtime.name} answered about Git rights what cannot be read`);
}

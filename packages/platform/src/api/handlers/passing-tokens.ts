// What passes of people's Git tokens on its way from their runtime: until when they work is kept for the forecast. Failing to
// keep it fails no act.
import { errorMessage } from '@fairlead/base';
import type { AppProxyRouteName, GitTokenRow } from '@fairlead/contracts';
import { forgetGitTokenEnd, keepGitTokenEnds, type RuntimeRecord } from '../../store/index.ts';
import type { HandlerDeps } from './deps.ts';
import type { RelayInput } from './relayed-stream.ts';

interface Passed {
  readonly name: AppProxyRouteName;
  readonly input: Pick<RelayInput, 'caller' | 'params'>;
  readonly runtime: RuntimeRecord;
  readonly answer: unknown;
}

export async function noteGitTokens({ store, gitSight, log }: HandlerDeps, passed: Passed): Promise<void> {
  const { name, input, runtime, answer } = passed;
  const owner = { accountId: input.caller.account.id, userId: input.caller.user.id, runtimeId: runtime.id };
  if (name === 'putGitToken' || name === 'deleteGitToken') {
    gitSight.forget(owner.userId, { runtimeId: runtime.id, host: input.params['host'] ?? '' });
  }
  try {
    // Answers are held to the table of routes before they get here.
    if (name === 'listGitTokens')
      await keepGitTokenEnds(store.db, owner, { rows: (answer as { items: GitTokenRow[] }).items, isAll: true });
    else if (name === 'putGitToken')
      await keepGitTokenEnds(store.db, owner, { rows: [answer as GitTokenRow], isAll: false });
    else if (name === 'deleteGitToken')
      await forgetGitTokenEnd(store.db, { ...owner, host: input.params['host'] ?? '' });
  } catch (error) {
    log.warn({ error: errorMessage(error) }, 'the end of a Git token could not be noted; its owner is not warned');
  }
}

// Changes of rules where rules are files: a commit by the acting user, made by the runtime that speaks for the rules. The
// platform writes no rule itself: it answers once the report of the commit has made the rule so.
import { sleep } from '@fairlead/base';
import {
  type AccessRule,
  type AccessRuleChange,
  AccessRulesReport,
  type AppProxyRoute,
  appProxyRoutes,
  checker,
  type GitRightsSetting,
} from '@fairlead/contracts';
import { type AccountRules, isSameRule, readRules } from '../../access/index.ts';
import { type Caller, type RuntimeRecord, runtimeById } from '../../store/index.ts';
import { relayCall } from '../../tunnel-server/index.ts';
import { ApiFailure } from '../failure.ts';
import type { HandlerDeps } from './deps.ts';
import { audited } from './relay.ts';

export interface RuleAct {
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

const appliedWithinMs = 15_000;
const lookEveryMs = 100;

/** Undefined: rules are kept by the platform alone. */
export async function ruleRuntime({ store }: HandlerDeps, { caller }: RuleAct): Promise<RuntimeRecord | undefined> {
  const { runtimeId } = await readRules(store.db, caller.account.id);
  return runtimeId === undefined ? undefined : runtimeById(store.db, runtimeId);
}

/** `name` is what the rule is called in the repository until now, or what a new one is to be called. */
export async function commitRule(
  deps: HandlerDeps,
  act: RuleAct & { readonly runtime: RuntimeRecord; readonly name: string; readonly rule: AccessRuleChange },
): Promise<AccessRule> {
  const { baseSha: _, ...rule } = act.rule;
  const sha = await commit(deps, {
    ...act,
    route: appProxyRoutes.saveAccessRuleFile,
    body: act.rule,
    query: undefined,
  });
  return applied(deps, act, ({ rules }) => {
    const found = rules.find(({ name, file }) => name === rule.name && file !== undefined);
    return found && (found.commit === sha || isSameRule(found, rule)) ? found : undefined;
  });
}

export async function commitRemoval(
  deps: HandlerDeps,
  act: RuleAct & { readonly runtime: RuntimeRecord; readonly name: string; readonly baseSha: string | undefined },
): Promise<void> {
  const query = act.baseSha === undefined ? undefined : { baseSha: act.baseSha };
  await commit(deps, { ...act, route: appProxyRoutes.removeAccessRuleFile, body: undefined, query });
  await applied(deps, act, ({ rules }) => (rules.some(({ name }) => name === act.name) ? undefined : true));
}

/** Writes or removes the file that says whether rights follow Git. */
export async function commitGitRights(
  deps: HandlerDeps,
  act: RuleAct & { readonly runtime: RuntimeRecord; readonly enforce: GitRightsSetting },
): Promise<void> {
  const { runtime, enforce, ...rest } = act;
  const params = { runtime: runtime.name };
  const call = { ...rest, route: appProxyRoutes.saveGitRights, params, query: undefined, body: { enforce } };
  await audited(deps, call, () => relayCall(deps, { ...call, runtime }));
  await applied(deps, act, ({ gitRights }) => (gitRights.enforce === enforce ? true : undefined));
}

const checkReport = checker(AccessRulesReport);

/** What the repository holds now, read for the acting user. */
export async function readRepository(
  deps: HandlerDeps,
  act: RuleAct & { readonly runtime: RuntimeRecord },
): Promise<AccessRulesReport> {
  const route = appProxyRoutes.readAccessRuleFiles;
  const answer = checkReport(await relayCall(deps, { ...act, route, params: {}, query: undefined, body: undefined }));
  if (answer.ok) return answer.value;
  const [problem] = answer.problems;
  const said = `${problem?.field ?? ''} ${problem?.reason ?? ''}`.trim();
  throw new ApiFailure('internal', `runtime ${act.runtime.name} answered with rules that cannot be read: ${said}`);
}

interface Commit extends RuleAct {
  readonly runtime: RuntimeRecord;
  readonly name: string;
  readonly route: AppProxyRoute;
  readonly body: AccessRuleChange | undefined;
  readonly query: { readonly baseSha: string } | undefined;
}

async function commit(deps: HandlerDeps, { runtime, name, ...act }: Commit): Promise<string> {
  const params = { runtime: runtime.name, accessRule: name };
  const answer = await audited(deps, { ...act, params }, () => relayCall(deps, { ...act, runtime, params }));
  return (answer as { commit?: { sha?: string } }).commit?.sha ?? ''; // as the route's answer is declared
}

async function applied<T>(
  { store }: HandlerDeps,
  { caller, runtime, signal }: RuleAct & { readonly runtime: RuntimeRecord },
  look: (known: AccountRules) => T | undefined,
): Promise<T> {
  const { clock } = store;
  const untilMs = clock.monotonic() + appliedWithinMs;
  for (;;) {
    const found = look(await readRules(store.db, caller.account.id));
    if (found !== undefined) return found;
    if (clock.monotonic() > untilMs) {
      const message = `the commit was made, but runtime ${runtime.name} has not reported it yet; the rules will follow when it does`;
      throw new ApiFailure('outcome_unknown', message);
    }
    await sleep(lookEveryMs, { clock, signal });
  }
}

// Access rules as administrators manage them, and the question that everybody may ask about themselves.
import { type AccessDecision, type ApplicationAction, type NamedEntity, ruledEntities } from '@fairlead/contracts';
import {
  addRule,
  applyRuleFiles,
  checkRule,
  forgetGitRights,
  previewChange,
  readRules,
  removeRule,
  replaceRule,
  ruleById,
  setDefault,
} from '../../access/index.ts';
import { type AuditNote, appendAudit } from '../../audit/index.ts';
import {
  type Caller,
  clusterRows,
  gitSourceRows,
  recordAccessChange,
  runtimeRows,
  type Transaction,
} from '../../store/index.ts';
import { ApiFailure } from '../failure.ts';
import type { HandlersOf } from '../handler.ts';
import type { HandlerDeps } from './deps.ts';
import { commitGitRights, commitRemoval, commitRule, readRepository, ruleRuntime } from './rule-commits.ts';
import { unknownApplication, unknownNamed } from './unknown.ts';

type Names =
  | 'listAccessRules'
  | 'createAccessRule'
  | 'updateAccessRule'
  | 'deleteAccessRule'
  | 'setAccessDefault'
  | 'previewAccessRules'
  | 'rebuildAccessRules'
  | 'setGitRights'
  | 'canI';

interface Asked {
  readonly caller: Caller;
  readonly requestId: string;
}

/** Hidden or not there is the same answer, here as everywhere. */
async function canView(
  { store, access }: HandlerDeps,
  caller: Caller,
  { action, ...named }: NamedEntity & { readonly action: ApplicationAction },
): Promise<AccessDecision> {
  const { entity, runtime, name } = named;
  const { actions } = ruledEntities[entity];
  if (!actions.includes(action)) {
    throw new ApiFailure('bad_request', `query field action: of ${entity} there is ${actions.join(', ')}`);
  }
  const query = { accountId: caller.account.id, sight: await access.sight(caller) };
  const rows = {
    runtime: () => runtimeRows(store.db, query, (some) => some.where('runtimes.name', '=', name)),
    cluster: () => clusterRows(store.db, { ...query, runtime }),
    gitSource: () => gitSourceRows(store.db, { ...query, runtime }),
  };
  const isThere = (await rows[entity]()).some((row) => row.name === name);
  return isThere ? access.decideNamed(caller, named) : { allowed: false, because: unknownNamed(named).message };
}

export function accessHandlers(deps: HandlerDeps): HandlersOf<Names> {
  const { store, access } = deps;
  const change = <T>(
    { caller, requestId }: Asked,
    work: (trx: Transaction, now: Date) => Promise<readonly [result: T, note: AuditNote]>,
  ): Promise<T> =>
    store.transaction(async (trx) => {
      const now = new Date(store.clock.now());
      const [result, note] = await work(trx, now);
      await appendAudit(trx, { caller, requestId, now }, note);
      await recordAccessChange(trx, caller.account.id, now);
      return result;
    });
  const entity = (name: string) => ({ kind: 'access-rule', name });
  const list = async (accountId: string) => {
    const { default: fallback, rules, source, gitRights } = await readRules(store.db, accountId);
    return { default: fallback, items: rules, gitRights, ...(source ? { source } : {}) };
  };
  const drop = (asked: Asked, id: string) =>
    change(asked, async (trx) => {
      const { name } = await removeRule(trx, { accountId: asked.caller.account.id, id });
      return [null, { action: 'access-rule.delete', entity: entity(name) }];
    });
  return {
    listAccessRules: ({ caller }) => list(caller.account.id),
    async createAccessRule(input) {
      const accountId = input.caller.account.id;
      const runtime = await ruleRuntime(deps, input);
      if (!runtime) {
        return change(input, async (trx, now) => {
          const rule = await addRule(trx, { accountId, rule: input.body, now });
          return [rule, { action: 'access-rule.create', entity: entity(rule.name), details: { ...input.body } }];
        });
      }
      const { name } = input.body;
      const { rules } = await readRules(store.db, accountId);
      if (rules.some((known) => known.name === name)) {
        throw new ApiFailure('conflict', `there is an access rule named ${name} already`);
      }
      await checkRule(store.db, accountId, input.body);
      return commitRule(deps, { ...input, runtime, name, rule: input.body });
    },
    async updateAccessRule(input) {
      const { caller, params } = input;
      const { baseSha, ...body } = input.body;
      const accountId = caller.account.id;
      const runtime = await ruleRuntime(deps, input);
      if (!runtime) {
        return change(input, async (trx, now) => {
          const rule = await replaceRule(trx, { accountId, id: params.rule, rule: body, now });
          return [rule, { action: 'access-rule.update', entity: entity(rule.name), details: { ...body } }];
        });
      }
      const known = await ruleById(store.db, { accountId, id: params.rule });
      await checkRule(store.db, accountId, body);
      const name = known.file === undefined ? body.name : known.name;
      // A rule that is no file yet becomes one: there is nothing that it could be based on.
      const base = known.file === undefined || baseSha === undefined ? {} : { baseSha };
      const rule = await commitRule(deps, { ...input, runtime, name, rule: { ...body, ...base } });
      if (known.file === undefined && known.name !== body.name) await drop(input, known.id);
      return rule;
    },
    async deleteAccessRule(input) {
      const runtime = await ruleRuntime(deps, input);
      const known = await ruleById(store.db, { accountId: input.caller.account.id, id: input.params.rule });
      if (!runtime || known.file === undefined) return drop(input, known.id);
      await commitRemoval(deps, { ...input, runtime, name: known.name, baseSha: input.query.baseSha });
      return null;
    },
    async rebuildAccessRules(input) {
      const accountId = input.caller.account.id;
      const runtime = await ruleRuntime(deps, input);
      if (!runtime) {
        const message = 'no runtime follows a Shared Configuration Repository; there is nothing to rebuild from';
        throw new ApiFailure('conflict', message);
      }
      const report = await readRepository(deps, { ...input, runtime });
      await change(input, async (trx, now) => {
        await applyRuleFiles(trx, report, { runtime, now });
        const details = { commit: report.commit?.revision ?? '', rules: report.rules.length };
        return [
          null,
          { action: 'access-rule.rebuild', entity: { kind: 'account', name: input.caller.account.name }, details },
        ];
      });
      return list(accountId);
    },
    setAccessDefault: (input) =>
      change(input, async (trx) => {
        const { account } = input.caller;
        await setDefault(trx, account.id, input.body.default);
        const details = { ...input.body };
        return [null, { action: 'access-default.set', entity: { kind: 'account', name: account.name }, details }];
      }),
    async setGitRights(input) {
      const { account } = input.caller;
      const { enforce } = input.body;
      const runtime = await ruleRuntime(deps, input);
      const { gitRights } = await readRules(store.db, account.id);
      if (gitRights.enforce === enforce) return null;
      if (runtime) await commitGitRights(deps, { ...input, runtime, enforce });
      else if (enforce === 'off') {
        await change(input, async (trx) => {
          await forgetGitRights(trx, account.id);
          return [null, { action: 'git-rights.set', entity: { kind: 'git-rights', name: enforce } }];
        });
      } else {
        const message =
          'no runtime follows a Shared Configuration Repository; connect one, where this is kept as a file';
        throw new ApiFailure('conflict', message);
      }
      return null;
    },
    previewAccessRules: ({ caller, body }) => previewChange(store.db, caller.account.id, body),
    async canI({ caller, query }) {
      const { entity, action, runtime, namespace, name } = query;
      if (entity !== 'application') return canView(deps, caller, { entity, action, runtime, name });
      if (namespace === undefined) throw new ApiFailure('bad_request', 'query field namespace: an application has one');
      const id = { runtime, namespace, name };
      const decision = await access.decide(caller, action, id);
      return decision ?? { allowed: false, because: unknownApplication(id).message };
    },
  };
}

// The rules of an account as they are kept. Every change makes the next version of the account's rules, under a lock on
// the account: two changes come one after the other, and whoever calls after the commit is judged by the new rules.
import { newId } from '@fairlead/base';
import {
  type AccessDefault,
  type AccessRule,
  type AccessRuleInput,
  type AccessRules,
  maxAccessRules,
  ruledEntities,
} from '@fairlead/contracts';
import type { Kysely } from 'kysely';
import type { Database, Transaction } from '../store/index.ts';
import { AccessRuleError } from './errors.ts';

export interface AccountRules {
  readonly default: AccessDefault;
  readonly version: number;
  readonly rules: AccessRule[];
  readonly source: AccessRules['source'];
  /** Of the runtime whose repository the rules are files of. */
  readonly runtimeId: string | undefined;
  readonly gitRights: AccessRules['gitRights'];
}

/** Rules are at least as new as the version: it is read first. */
export async function readRules(db: Kysely<Database>, accountId: string): Promise<AccountRules> {
  const account = await db
    .selectFrom('accounts')
    .select(['access_default as default', 'access_version as version'])
    .select(['rule_source as source', 'rule_runtime_id as runtimeId', 'git_rights as gitRights'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  const rows = await db
    .selectFrom('access_rules')
    .select(['id', 'name', 'effect', 'teams', 'entity', 'actions', 'attributes'])
    .select(['created_at as createdAt', 'updated_at as updatedAt', 'file', 'commit'])
    .where('account_id', '=', accountId)
    .orderBy('name')
    .execute();
  // An account that is gone has no rights to give.
  return {
    default: account?.default ?? 'closed',
    version: account?.version ?? 0,
    rules: rows.map(({ file, commit, ...rule }) => ({
      ...rule,
      ...(file === null ? {} : { file }),
      ...(commit === null ? {} : { commit }),
    })),
    source: account?.runtimeId ? (account.source ?? undefined) : undefined,
    runtimeId: account?.runtimeId ?? undefined,
    gitRights: account?.gitRights ?? { enforce: 'off' },
  };
}

interface RuleId {
  readonly accountId: string;
  readonly id: string;
}

interface RuleChange {
  readonly accountId: string;
  readonly rule: AccessRuleInput;
  readonly now: Date;
}

export async function addRule(trx: Transaction, { accountId, rule, now }: RuleChange): Promise<AccessRule> {
  await nextVersion(trx, accountId);
  await checkRule(trx, accountId, rule);
  const { count } = await trx
    .selectFrom('access_rules')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= maxAccessRules)
    throw new AccessRuleError('conflict', `an account has ${maxAccessRules} rules at most`);
  const id = newId('rule');
  const added = await trx
    .insertInto('access_rules')
    .values({ id, account_id: accountId, created_at: now, updated_at: now, ...columnsOf(rule) })
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) throw taken(rule.name);
  return ruleById(trx, { accountId, id });
}

export async function replaceRule(trx: Transaction, change: RuleChange & RuleId): Promise<AccessRule> {
  const { accountId, id, rule, now } = change;
  await nextVersion(trx, accountId);
  await ruleById(trx, { accountId, id });
  await checkRule(trx, accountId, rule);
  const namesake = await trx
    .selectFrom('access_rules')
    .select('id')
    .where('account_id', '=', accountId)
    .where('name', '=', rule.name)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (namesake) throw taken(rule.name);
  await trx
    .updateTable('access_rules')
    .set({ updated_at: now, ...columnsOf(rule) })
    .where('id', '=', id)
    .execute();
  return ruleById(trx, { accountId, id });
}

export async function removeRule(trx: Transaction, { accountId, id }: RuleId): Promise<AccessRule> {
  await nextVersion(trx, accountId);
  const rule = await ruleById(trx, { accountId, id });
  await trx.deleteFrom('access_rules').where('id', '=', id).execute();
  return rule;
}

export async function setDefault(trx: Transaction, accountId: string, value: AccessDefault): Promise<void> {
  await nextVersion(trx, accountId);
  await trx.updateTable('accounts').set({ access_default: value }).where('id', '=', accountId).execute();
}

/** Rights do not follow Git any more; for when no runtime is left whose repository could say so. */
export async function forgetGitRights(trx: Transaction, accountId: string): Promise<void> {
  await nextVersion(trx, accountId);
  await trx.updateTable('accounts').set({ git_rights: null }).where('id', '=', accountId).execute();
}

export async function nextVersion(trx: Transaction, accountId: string): Promise<void> {
  await trx
    .updateTable('accounts')
    .set((eb) => ({ access_version: eb('access_version', '+', 1) }))
    .where('id', '=', accountId)
    .execute();
}

export const columnsOf = ({ name, effect, teams, entity, actions, attributes }: AccessRuleInput) => ({
  name,
  effect,
  entity,
  teams: JSON.stringify([...new Set(teams)]),
  actions: JSON.stringify([...new Set(actions)]),
  attributes: JSON.stringify(attributes),
});

export async function ruleById(db: Kysely<Database>, { accountId, id }: RuleId): Promise<AccessRule> {
  const rule = (await readRules(db, accountId)).rules.find((known) => known.id === id);
  if (!rule) throw new AccessRuleError('not_found', `there is no access rule ${id}`);
  return rule;
}

export async function checkRule(db: Kysely<Database>, accountId: string, rule: AccessRuleInput): Promise<void> {
  const reason = refusalOf(rule, await teamNames(db, accountId));
  if (reason !== undefined) throw new AccessRuleError('invalid', reason);
}

export async function teamNames(db: Kysely<Database>, accountId: string): Promise<ReadonlySet<string>> {
  const teams = await db.selectFrom('teams').select('name').where('account_id', '=', accountId).execute();
  return new Set(teams.map(({ name }) => name));
}

/** A rule that would hold for nobody, or that nothing enforces, is worse than none: people would rely on it. */
export function refusalOf(rule: AccessRuleInput, known: ReadonlySet<string>): string | undefined {
  const { entity, teams, actions, attributes } = rule;
  const ruled = ruledEntities[entity];
  const act = actions.find((action) => !ruled.actions.includes(action));
  if (act !== undefined) return `rules on ${entity} know the actions ${ruled.actions.join(', ')}, not ${act}`;
  const given = Object.keys(attributes).find((name) => !ruled.attributes.some((known) => known === name));
  if (given !== undefined) return `rules on ${entity} know the attributes ${ruled.attributes.join(', ')}, not ${given}`;
  const missing = teams.find((team) => team !== '*' && !known.has(team));
  return missing === undefined ? undefined : `there is no team ${missing}`;
}

const taken = (name: string) => new AccessRuleError('conflict', `there is an access rule named ${name} already`);

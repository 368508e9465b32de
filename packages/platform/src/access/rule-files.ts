// Rules that are files: makes the account's rules equal to what the repository holds, in one transaction, each change
// audited under the author of its commit. Level-triggered: applied again, late, or after somebody touched the rows, the
// same report gives the same rules. Rules without a file are left alone, but for one whose name a file takes.
// One runtime speaks for an account, the first that reported: another's report of rules changes nothing.
import { canonicalJson, newId } from '@fairlead/base';
import type {
  AccessRule,
  AccessRuleInput,
  AccessRuleProblem,
  AccessRules,
  AccessRulesReport,
} from '@fairlead/contracts';
import { appendAudit } from '../audit/index.ts';
import { type News, notify } from '../notifications/index.ts';
import type { ChangeKey, RuntimeRecord, Transaction } from '../store/index.ts';
import { columnsOf, nextVersion, readRules, refusalOf, teamNames } from './rules.ts';

type RuleFile = AccessRulesReport['rules'][number];

interface Applying {
  readonly runtime: Pick<RuntimeRecord, 'id' | 'accountId' | 'name'>;
  readonly now: Date;
}

/** What to tell the live feed: that rules are different, that there is news of a broken file. */
export async function applyRuleFiles(
  trx: Transaction,
  report: AccessRulesReport,
  { runtime, now }: Applying,
): Promise<ChangeKey[]> {
  const { accountId } = runtime;
  if (!(await speaksFor(trx, runtime))) return [];
  const { rules, source, gitRights } = await readRules(trx, accountId);
  const { taken, waiting } = takeable(report, rules, await teamNames(trx, accountId));
  const problems = [...report.problems, ...waiting];
  const plan = planRules(rules, { taken, keeps: (file) => waiting.some((each) => each.file === file) });
  const author = new Map(taken.map(({ file, commit }) => [file, commit]));
  const note = (action: string, rule: { name: string; file: string; of?: AccessRuleInput }) => {
    const by = author.get(rule.file) ?? report.commit;
    const where = { commit: by?.revision ?? '', file: rule.file, repository: report.repository };
    const context = auditContext(by, { accountId, now });
    const entity = { kind: 'access-rule', name: rule.name };
    return appendAudit(trx, context, { action, entity, details: { ...rule.of, ...where } });
  };
  for (const { id, name, file = '' } of plan.remove) {
    await trx.deleteFrom('access_rules').where('id', '=', id).execute();
    await note('access-rule.delete', { name, file });
  }
  for (const { id, file, rule, commit, isNews } of plan.write) {
    const row = { ...columnsOf(rule), file, commit: commit.revision, updated_at: now };
    if (id === undefined) {
      await trx
        .insertInto('access_rules')
        .values({ id: newId('rule'), account_id: accountId, created_at: now, ...row })
        .execute();
    } else await trx.updateTable('access_rules').set(row).where('id', '=', id).execute();
    if (isNews) {
      await note(id === undefined ? 'access-rule.create' : 'access-rule.update', { name: rule.name, file, of: rule });
    }
  }
  const isSwitched = await applyGitRights(trx, report, { accountId, gitRights, now });
  const isChanged = isSwitched || plan.remove.length > 0 || plan.write.some(({ isNews }) => isNews);
  if (isChanged) await nextVersion(trx, accountId);
  await trx
    .updateTable('accounts')
    .set({ rule_source: JSON.stringify(sourceOf(report, { runtime, problems, now })) })
    .where('id', '=', accountId)
    .execute();
  const news = await notify(trx, brokenNews(problems, { known: source?.problems ?? [], accountId, now }), now);
  return isChanged ? [{ accountId, kind: 'access', runtimeId: '', key: '' }, ...news] : news;
}

const auditContext = (by: RuleFile['commit'] | undefined, { accountId, now }: { accountId: string; now: Date }) => {
  const user = by ? { id: `git:${by.email}`, name: `${by.author} <${by.email}>` } : { id: 'git:', name: 'git' };
  return { caller: { account: { id: accountId, name: '' }, user }, requestId: '', now };
};

interface Switching {
  readonly accountId: string;
  readonly gitRights: AccessRules['gitRights'];
  readonly now: Date;
}

/** True when other rights hold from now on. */
async function applyGitRights(
  trx: Transaction,
  { gitRights: wanted, commit, repository }: AccessRulesReport,
  { accountId, gitRights: known, now }: Switching,
): Promise<boolean> {
  const enforce = wanted?.enforce ?? 'off';
  const revision = wanted?.commit.revision;
  if (known.enforce === enforce && known.commit === revision) return false;
  const git_rights = wanted ? JSON.stringify({ enforce, commit: revision }) : null;
  await trx.updateTable('accounts').set({ git_rights }).where('id', '=', accountId).execute();
  if (known.enforce === enforce) return false;
  const details = { enforce, before: known.enforce, commit: revision ?? '', repository };
  const entity = { kind: 'git-rights', name: enforce };
  const context = auditContext(wanted?.commit ?? commit, { accountId, now });
  await appendAudit(trx, context, { action: 'git-rights.set', entity, details });
  return true;
}

/** A hundred broken files are one mistake: the list of rules shows them all. */
const maxTold = 10;

interface Known {
  readonly known: readonly AccessRuleProblem[];
  readonly accountId: string;
  readonly now: Date;
}

function brokenNews(problems: readonly AccessRuleProblem[], { known, accountId, now }: Known): News[] {
  const isKnown = (problem: AccessRuleProblem) => known.some((each) => canonicalJson(each) === canonicalJson(problem));
  return problems
    .filter((problem) => !isKnown(problem))
    .slice(0, maxTold)
    .map(({ file, line, message, holds }) => ({
      accountId,
      kind: 'rule-broken',
      subject: `rule ${file} ${now.toISOString()}`,
      title: `${file}:${line} is not ${file.endsWith('/git-rights.yaml') ? 'a valid setting of Git rights' : 'a valid access rule'}`,
      message: `${message}; ${holds === undefined ? 'the file is passed over until it is mended' : `rule ${holds} holds as the file had it last`}`,
      onlyAdmins: true,
    }));
}

/** The runtime follows no repository any more: its rules hold on, and the platform keeps them from now on. */
export async function releaseRuleFiles(trx: Transaction, runtime: Pick<RuntimeRecord, 'id' | 'accountId'>) {
  await trx
    .updateTable('accounts')
    .set({ rule_runtime_id: null, rule_source: null })
    .where('id', '=', runtime.accountId)
    .where('rule_runtime_id', '=', runtime.id)
    .execute();
}

/** What its runtime reported last, once more: a team that a rule waited for may be there now. */
export async function reapplyRuleFiles(trx: Transaction, accountId: string, now: Date): Promise<void> {
  const last = await trx
    .selectFrom('reported_objects')
    .innerJoin('accounts', 'accounts.rule_runtime_id', 'reported_objects.runtime_id')
    .innerJoin('runtimes', 'runtimes.id', 'reported_objects.runtime_id')
    .select(['runtimes.id', 'runtimes.name', 'reported_objects.payload'])
    .where('accounts.id', '=', accountId)
    .where('reported_objects.kind', '=', 'access-rules')
    .where('reported_objects.deleted', '=', false)
    .executeTakeFirst();
  if (!last) return;
  const { payload, ...runtime } = last;
  const report = payload as unknown as AccessRulesReport; // only checked reports are stored, under the kind that they are of
  await applyRuleFiles(trx, report, { runtime: { ...runtime, accountId }, now });
}

async function speaksFor(trx: Transaction, runtime: Pick<RuntimeRecord, 'id' | 'accountId'>): Promise<boolean> {
  const { rule_runtime_id: speaker } = await trx
    .selectFrom('accounts')
    .select('rule_runtime_id')
    .where('id', '=', runtime.accountId)
    .forNoKeyUpdate() // not in the way of reports, which name the account by a foreign key
    .executeTakeFirstOrThrow();
  if (speaker !== null) return speaker === runtime.id;
  await trx.updateTable('accounts').set({ rule_runtime_id: runtime.id }).where('id', '=', runtime.accountId).execute();
  return true;
}

/** A runtime knows no teams: a rule that names one that is not there is a problem of its file. Pure. */
function takeable(report: AccessRulesReport, rules: readonly AccessRule[], teams: ReadonlySet<string>) {
  const taken: RuleFile[] = [];
  const waiting: AccessRuleProblem[] = [];
  for (const each of report.rules) {
    const message = refusalOf(each.rule, teams);
    const before = rules.find(({ file }) => file === each.file);
    if (message === undefined) taken.push(each);
    else waiting.push({ file: each.file, line: each.teamsLine, message, ...(before ? { holds: before.name } : {}) });
  }
  return { taken, waiting };
}

interface Planned {
  readonly id: string | undefined;
  readonly file: string;
  readonly rule: AccessRuleInput;
  readonly commit: RuleFile['commit'];
  /** Another rule than before, and not only the same one in another place. */
  readonly isNews: boolean;
}

/** Pure. What has to be written and removed; `keeps`: what this file held last, holds on. */
function planRules(
  rules: readonly AccessRule[],
  { taken, keeps }: { readonly taken: readonly RuleFile[]; readonly keeps: (file: string) => boolean },
): { remove: AccessRule[]; write: Planned[] } {
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  const wanted = new Set(taken.map(({ rule }) => rule.name));
  const remove = rules.filter(({ name, file }) => file !== undefined && !wanted.has(name) && !keeps(file));
  const write = taken.flatMap(({ file, rule, commit }): Planned[] => {
    const known = byName.get(rule.name);
    const isNews = !known || !isSameRule(known, rule);
    if (!isNews && known.file === file && known.commit === commit.revision) return [];
    return [{ id: known?.id, file, rule, commit, isNews }];
  });
  return { remove, write };
}

export const isSameRule = (a: AccessRuleInput, b: AccessRuleInput): boolean =>
  canonicalJson(ruleOf(a)) === canonicalJson(ruleOf(b));

const ruleOf = ({ name, effect, teams, entity, actions, attributes }: AccessRuleInput) => ({
  name,
  effect,
  entity,
  attributes,
  teams: [...new Set(teams)],
  actions: [...new Set(actions)],
});

function sourceOf(
  { repository, branch, commit }: AccessRulesReport,
  { runtime, problems, now }: Applying & { readonly problems: readonly AccessRuleProblem[] },
): AccessRules['source'] {
  const newest = commit && {
    revision: commit.revision,
    author: `${commit.author} <${commit.email}>`,
    date: commit.date,
  };
  return {
    runtime: runtime.name,
    repository,
    branch,
    ...(newest ? { commit: newest } : {}),
    appliedAt: now.toISOString(),
    problems: [...problems],
  };
}

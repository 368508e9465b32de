// What a change of the rules would do, before it is done: counted over what is there now (of each entity), for people
// as they are in teams now. People in the same teams are one group; 50 groups at most are looked at.
import {
  type AccessChange,
  type AccessEntity,
  type AccessPreview,
  type AccessRuleInput,
  type ApplicationAction,
  type ApplicationId,
  type Policy,
  ruledEntities,
  type Visibility,
  visibilityOf,
} from '@fairlead/contracts';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Database, isVisible } from '../store/index.ts';
import { AccessRuleError } from './errors.ts';

import { type AccountRules, checkRule, readRules } from './rules.ts';

const maxGroups = 50;
const maxSamples = 20;

type Item = AccessPreview['items'][number];
interface Right {
  readonly entity: AccessEntity;
  readonly action: ApplicationAction;
}

const rights: readonly Right[] = (Object.keys(ruledEntities) as AccessEntity[]).flatMap(
  (entity) => ruledEntities[entity].actions.map((action) => ({ entity, action })), // its keys are the entities
);

export async function previewChange(
  db: Kysely<Database>,
  accountId: string,
  change: AccessChange,
): Promise<AccessPreview> {
  const before = await readRules(db, accountId);
  if (change.rule) await checkRule(db, accountId, change.rule);
  const after = changed(before, change);
  const groups = await peopleByTeams(db, accountId);
  const items: Item[] = [];
  for (const group of groups.slice(0, maxGroups)) {
    for (const right of rights) {
      const [had, has] = [before, after].map((policy) => visible(policy, group.teams, right));
      if (!had || !has || JSON.stringify(had) === JSON.stringify(has)) continue;
      const { entity } = right;
      const [gains, loses] = [
        await difference(db, accountId, { entity, of: has, without: had }),
        await difference(db, accountId, { entity, of: had, without: has }),
      ];
      if (gains.count + loses.count === 0) continue;
      const users = { count: group.users.length, samples: group.users.slice(0, maxSamples) };
      items.push({ teams: group.teams, users, ...right, gains, loses });
    }
  }
  return { items, more: groups.length > maxGroups };
}

function changed(before: AccountRules, { id, rule, default: fallback }: AccessChange): Policy {
  if (id !== undefined && !before.rules.some((known) => known.id === id)) {
    throw new AccessRuleError('not_found', `there is no access rule ${id}`);
  }
  const kept: AccessRuleInput[] = before.rules.filter((known) => known.id !== id);
  return { default: fallback ?? before.default, rules: rule ? [...kept, rule] : kept };
}

const visible = (policy: Policy, teams: readonly string[], right: Right) =>
  visibilityOf(policy, { subject: { isAdmin: false, teams }, ...right });

async function peopleByTeams(db: Kysely<Database>, accountId: string): Promise<{ teams: string[]; users: string[] }[]> {
  const { rows } = await sql<{ teams: string[]; users: string[] }>`
    select teams, array_agg(name order by name) as users from (
      select users.name, array(select teams.name from team_members join teams on teams.id = team_members.team_id
        where team_members.user_id = users.id order by 1) as teams
      from users where account_id = ${accountId} and role <> 'admin' and status <> 'deactivated') people
    group by teams order by count(*) desc, teams`.execute(db);
  return rows;
}

const reported = (kind: string) => sql`
  select runtimes.name as runtime, '' as namespace, reported_objects.payload ->> 'name' as name
  from reported_objects join runtimes on runtimes.id = reported_objects.runtime_id
  where reported_objects.kind = ${sql.lit(kind)} and not reported_objects.deleted and reported_objects.account_id`;

/** Each ends with the column of the account. */
const listed: Readonly<Record<AccessEntity, RawBuilder<unknown>>> = {
  application: sql`
    select runtimes.name as runtime, applications.namespace, applications.name
    from applications join runtimes on runtimes.id = applications.runtime_id where applications.account_id`,
  runtime: sql`
    select runtimes.name as runtime, '' as namespace, runtimes.name from runtimes where runtimes.account_id`,
  cluster: reported('cluster'),
  gitSource: reported('git-source'),
};

interface Difference {
  readonly entity: AccessEntity;
  readonly of: Visibility;
  readonly without: Visibility;
}

async function difference(
  db: Kysely<Database>,
  accountId: string,
  { entity, of, without }: Difference,
): Promise<{ count: number; samples: ApplicationId[] }> {
  const { rows } = await sql<ApplicationId & { count: number }>`
    select runtime, namespace, name, count(*) over ()::int as count from (
      ${listed[entity]} = ${accountId} and ${isVisible(of, entity)} and not ${isVisible(without, entity)}) differing
    order by name, namespace, runtime limit ${maxSamples}`.execute(db);
  const samples = rows.map(({ runtime, namespace, name }) => ({ runtime, namespace, name }));
  return { count: rows[0]?.count ?? 0, samples };
}

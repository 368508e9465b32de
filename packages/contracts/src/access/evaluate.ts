// Who may do what. Pure and total: rules × person × action × attributes → decision with its reason. The platform and the
// app-proxy of every runtime judge by this one function, each by rules that it read itself.
// Administrators may do everything; a deny rule wins over every allow rule; once an entity has an allow rule, only what one
// allows is allowed; until then the account's default holds. `visibilityOf` says the same as a condition on rows.
import type { AccessDecision, AccessDefault } from '../api/access.ts';
import type { AccessAttributes, AccessEntity, AccessRuleInput } from '../api/access-rule.ts';
import type { ApplicationAction } from '../api/route.ts';
import type { ObjectAttributes } from './attributes.ts';
import { matchesGlob } from './glob.ts';

export interface Policy {
  readonly default: AccessDefault;
  readonly rules: readonly AccessRuleInput[];
}

export interface Subject {
  readonly isAdmin: boolean;
  readonly teams: readonly string[];
}

export interface Question {
  readonly subject: Subject;
  readonly entity: AccessEntity;
  readonly action: ApplicationAction;
}

export function decide(policy: Policy, question: Question, object: ObjectAttributes): AccessDecision {
  if (question.subject.isAdmin) return { allowed: true, because: 'administrators may do everything' };
  const applying = rulesFor(policy, question).filter(({ attributes }) => covers(attributes, object));
  const denying = applying.find(({ effect }) => effect === 'deny');
  if (denying) return { allowed: false, because: `the access rule ${denying.name} denies it`, rule: denying.name };
  const [allowing] = applying;
  if (allowing) return { allowed: true, because: `the access rule ${allowing.name} allows it`, rule: allowing.name };
  if (hasAllowRule(policy, question.entity)) return { allowed: false, because: 'no access rule allows it' };
  return policy.default === 'open'
    ? { allowed: true, because: 'the account is open to its members' }
    : { allowed: false, because: 'the account is closed and no access rule allows it' };
}

/** Plain JSON, so that it can be part of a remembered question. */
export interface Visibility {
  readonly allow: 'all' | readonly AccessAttributes[];
  readonly deny: readonly AccessAttributes[];
  /** Where rights follow Git: of what rules allow, only what has its manifests in one of these places (`manifestsPlace`). */
  readonly manifests?: readonly string[];
}

export const seesAll: Visibility = { allow: 'all', deny: [] };

export const isUnrestricted = ({ allow, deny, manifests }: Visibility): boolean =>
  allow === 'all' && deny.length === 0 && manifests === undefined;

/** The condition under which `decide` allows, over all applications at once. */
export function visibilityOf(policy: Policy, question: Question): Visibility {
  if (question.subject.isAdmin) return seesAll;
  const rules = rulesFor(policy, question);
  const attributesOf = (effect: AccessRuleInput['effect']) =>
    rules.filter((rule) => rule.effect === effect).map(({ attributes }) => attributes);
  const isOpen = policy.default === 'open' && !hasAllowRule(policy, question.entity);
  return { allow: isOpen ? 'all' : attributesOf('allow'), deny: attributesOf('deny') };
}

/** Whether the condition holds for one object. */
export const isSeen = ({ allow, deny, manifests }: Visibility, object: ObjectAttributes): boolean =>
  (manifests === undefined || manifests.includes(object.manifests ?? '')) &&
  (allow === 'all' || allow.some((attributes) => covers(attributes, object))) &&
  !deny.some((attributes) => covers(attributes, object));

const hasAllowRule = ({ rules }: Policy, entity: AccessEntity) =>
  rules.some((rule) => rule.effect === 'allow' && rule.entity === entity);

function rulesFor({ rules }: Policy, { subject, entity, action }: Question): AccessRuleInput[] {
  const isMeant = (team: string) => team === '*' || subject.teams.includes(team);
  return rules.filter((rule) => rule.entity === entity && includes(rule, action) && rule.teams.some(isMeant));
}

/** Whoever may sync may refresh; who may not sync may still refresh. */
const includes = ({ effect, actions }: AccessRuleInput, action: ApplicationAction) =>
  actions.includes(action) || (effect === 'allow' && action === 'REFRESH' && actions.includes('SYNC'));

function covers(attributes: AccessAttributes, object: ObjectAttributes): boolean {
  const { runtimes, clusters, namespaces, projects, names, labels = {} } = attributes;
  const isAmong = (patterns: readonly string[] | undefined, value: string) =>
    patterns === undefined || patterns.some((pattern) => matchesGlob(pattern, value));
  return (
    isAmong(runtimes, object.runtime) &&
    isAmong(clusters, object.cluster) &&
    isAmong(namespaces, object.namespace) &&
    isAmong(projects, object.project) &&
    isAmong(names, object.name) &&
    Object.entries(labels).every(
      ([key, pattern]) => Object.hasOwn(object.labels, key) && matchesGlob(pattern, object.labels[key] ?? ''),
    )
  );
}

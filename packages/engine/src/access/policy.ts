// Who may do what, as Argo CD's casbin model has it: somebody may when a rule of theirs, or of a role they have, allows it
// and none denies it. Pure.
import { RE2JS } from 're2js';
import { matchesGlob } from '../project/index.ts';
import type { PolicyParts, PolicyRule } from './policy-text.ts';

export interface AccessRequest {
  readonly resource: string;
  readonly action: string;
  readonly object: string;
}

export type MatchMode = 'glob' | 'regex';

/** As casbin: roles of roles are followed this far. */
const maxDepth = 10;
/** Subjects whose rules are remembered; at the bound all are forgotten. */
const maxSubjects = 1000;

export class Policy {
  readonly #rules: readonly PolicyRule[];
  readonly #rolesOf: ReadonlyMap<string, readonly string[]>;
  readonly #matches: (pattern: string, text: string) => boolean;
  readonly #known = new Map<string, readonly PolicyRule[]>();

  constructor(parts: readonly PolicyParts[], mode: MatchMode) {
    this.#rules = parts.flatMap(({ rules }) => rules);
    const links = parts.flatMap((part) => part.links);
    this.#rolesOf = rolesByMember(links);
    this.#matches = mode === 'regex' ? matchesExpression : matchesGlob;
  }

  /** Whether anything is said about somebody's roles. */
  hasMember(subject: string): boolean {
    return this.#rolesOf.has(subject);
  }

  permits(subject: string, { resource, action, object }: AccessRequest): boolean {
    let isAllowed = false;
    for (const rule of this.#rulesOf(subject)) {
      const isHit =
        this.#matches(rule.resource, resource) &&
        this.#matches(rule.action, action) &&
        this.#matches(rule.object, object);
      if (!isHit) continue;
      if (rule.effect === 'deny') return false;
      if (rule.effect === 'allow') isAllowed = true;
    }
    return isAllowed;
  }

  #rulesOf(subject: string): readonly PolicyRule[] {
    const known = this.#known.get(subject);
    if (known) return known;
    const names = this.#namesOf(subject);
    const rules = this.#rules.filter((rule) => names.has(rule.subject));
    if (this.#known.size >= maxSubjects) this.#known.clear();
    this.#known.set(subject, rules);
    return rules;
  }

  /** A subject and every role it has, also by other roles. */
  #namesOf(subject: string): ReadonlySet<string> {
    const names = new Set([subject]);
    let next = [subject];
    for (let depth = 0; depth < maxDepth && next.length > 0; depth++) {
      next = next.flatMap((name) => this.#rolesOf.get(name) ?? []).filter((name) => !names.has(name));
      for (const name of next) names.add(name);
    }
    return names;
  }
}

function rolesByMember(links: PolicyParts['links']): Map<string, readonly string[]> {
  const roles = new Map<string, readonly string[]>();
  for (const { member, role } of links) roles.set(member, [...(roles.get(member) ?? []), role]);
  return roles;
}

/** Go's own syntax, found anywhere in the text; what cannot be read matches nothing. */
function matchesExpression(pattern: string, text: string): boolean {
  try {
    return RE2JS.compile(pattern).matcher(text).find();
  } catch {
    return false;
  }
}

// One access rule: teams may (or may not) do actions on what has certain attributes; and what may be wrong with its file.
import { type Static, Type } from 'typebox';
import { plainName } from './names.ts';
import { type ApplicationAction, applicationActions } from './route.ts';

const text = Type.String();
/** `*` stands for any text, `?` for one character. Few stars, so that a match stays cheap. */
const pattern = Type.String({
  minLength: 1,
  maxLength: 253,
  pattern: '^[^*\\u0000-\\u001f]*(\\*[^*\\u0000-\\u001f]*){0,4}$',
});
const patterns = Type.Optional(Type.Array(pattern, { minItems: 1, maxItems: 200 }));

/** All that are given must match, by any of their patterns; without any, the rule holds for everything. */
export const AccessAttributes = Type.Object(
  {
    runtimes: patterns,
    clusters: patterns,
    /** Where it is deployed to. */
    namespaces: patterns,
    projects: patterns,
    names: patterns,
    labels: Type.Optional(Type.Record(Type.String({ pattern: '^[^\\u0000-\\u001f]{1,317}$' }), pattern)),
  },
  { additionalProperties: false }, // a misspelt attribute would make the rule hold for more than was meant
);
export type AccessAttributes = Static<typeof AccessAttributes>;

export const AccessEntity = Type.Union([
  Type.Literal('application'),
  Type.Literal('runtime'),
  Type.Literal('cluster'),
  Type.Literal('gitSource'),
]);
export type AccessEntity = Static<typeof AccessEntity>;

interface Ruled {
  readonly actions: readonly ApplicationAction[];
  readonly attributes: readonly (keyof AccessAttributes)[];
}

/**
 * What rules on each entity may speak of; a rule that nothing would enforce is refused. Of what is no application a rule
 * names what never changes, so that who sees it changes with the rules alone. Other acts on these are for administrators.
 */
export const ruledEntities: Readonly<Record<AccessEntity, Ruled>> = {
  application: {
    actions: applicationActions,
    attributes: ['runtimes', 'clusters', 'namespaces', 'projects', 'names', 'labels'],
  },
  runtime: { actions: ['VIEW'], attributes: ['runtimes', 'names'] },
  cluster: { actions: ['VIEW'], attributes: ['runtimes', 'clusters', 'names'] },
  gitSource: { actions: ['VIEW'], attributes: ['runtimes', 'names'] },
};

/** SYNC includes REFRESH. An act needs VIEW too: what one may not view is not there. */
export const AccessAction = Type.Enum(applicationActions);

export const ruleMembers = {
  name: plainName,
  effect: Type.Union([Type.Literal('allow'), Type.Literal('deny')]),
  /** Names of teams; `*` is every member of the account. */
  teams: Type.Array(Type.String({ minLength: 1, maxLength: 63 }), { minItems: 1, maxItems: 100 }),
  entity: AccessEntity,
  actions: Type.Array(AccessAction, { minItems: 1, maxItems: 50 }),
  attributes: AccessAttributes,
};
/** Of one account. */
export const maxAccessRules = 1_000;

export const AccessRuleInput = Type.Object(ruleMembers, { additionalProperties: false });
export type AccessRuleInput = Static<typeof AccessRuleInput>;

/** A change of a rule that is a file: refused with both versions when the file is not as the commit had it. */
export const AccessRuleChange = Type.Object(
  {
    ...ruleMembers,
    /** The `commit` of the rule that was looked at; absent: whatever the file holds is replaced. */
    baseSha: Type.Optional(Type.String({ pattern: '^[0-9a-f]{40}$' })),
  },
  { additionalProperties: false },
);
export type AccessRuleChange = Static<typeof AccessRuleChange>;

export const RuleBase = Type.Object({ baseSha: AccessRuleChange.properties.baseSha });

export const AccessRuleProblem = Type.Object({
  /** Path in the repository. */
  file: text,
  line: Type.Integer({ minimum: 1 }),
  message: text,
  /** Name of the rule that holds meanwhile, as the file had it last; absent: none does. */
  holds: Type.Optional(text),
});
export type AccessRuleProblem = Static<typeof AccessRuleProblem>;

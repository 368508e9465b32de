// Access rules as the platform API shows them: teams may (or may not) do actions on what has certain attributes.
import { type Static, Type } from 'typebox';
import { ApplicationId } from './entities.ts';
import { applicationActions } from './route.ts';

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

/** Rules on other entities than applications are refused until something enforces them. */
export const AccessEntity = Type.Union([
  Type.Literal('application'),
  Type.Literal('runtime'),
  Type.Literal('cluster'),
  Type.Literal('gitSource'),
]);
export type AccessEntity = Static<typeof AccessEntity>;

/** SYNC includes REFRESH. An act needs VIEW too: what one may not view is not there. */
export const AccessAction = Type.Enum(applicationActions);

const ruleMembers = {
  name: Type.String({ pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$' }),
  effect: Type.Union([Type.Literal('allow'), Type.Literal('deny')]),
  /** Names of teams; `*` is every member of the account. */
  teams: Type.Array(Type.String({ minLength: 1, maxLength: 63 }), { minItems: 1, maxItems: 100 }),
  entity: AccessEntity,
  actions: Type.Array(AccessAction, { minItems: 1, maxItems: 50 }),
  attributes: AccessAttributes,
};
export const AccessRuleInput = Type.Object(ruleMembers, { additionalProperties: false });
export type AccessRuleInput = Static<typeof AccessRuleInput>;

export const AccessRule = Type.Object({ id: text, ...ruleMembers, createdAt: text, updatedAt: text });
export type AccessRule = Static<typeof AccessRule>;

/** What holds while an entity has no allow rule: `open`, members may everything; `closed`, nothing. */
export const AccessDefault = Type.Union([Type.Literal('open'), Type.Literal('closed')]);
export type AccessDefault = Static<typeof AccessDefault>;

export const AccessRules = Type.Object({ default: AccessDefault, items: Type.Array(AccessRule) });

export const AccessDecision = Type.Object({
  allowed: Type.Boolean(),
  /** One line for people. */
  because: text,
  /** Name of the rule that decided, where one did. */
  rule: Type.Optional(text),
});
export type AccessDecision = Static<typeof AccessDecision>;

/** One change to the rules; an id with no rule removes it. */
export const AccessChange = Type.Object(
  {
    id: Type.Optional(text),
    rule: Type.Optional(AccessRuleInput),
    default: Type.Optional(AccessDefault),
  },
  { additionalProperties: false },
);
export type AccessChange = Static<typeof AccessChange>;

const Touched = Type.Object({ count: Type.Integer(), samples: Type.Array(ApplicationId) });

export const AccessPreview = Type.Object({
  items: Type.Array(
    Type.Object({
      /** All who are in exactly these teams; twenty names at most. */
      teams: Type.Array(text),
      users: Type.Object({ count: Type.Integer(), samples: Type.Array(text) }),
      action: AccessAction,
      gains: Touched,
      loses: Touched,
    }),
  ),
  /** There are more groups of people than were looked at. */
  more: Type.Boolean(),
});
export type AccessPreview = Static<typeof AccessPreview>;

// Access rules as the platform API shows them, the questions about them and the answers.
import { type Static, Type } from 'typebox';
import { GitRightsEnforced } from '../access/git-rights.ts';
import { AccessAction, AccessEntity, AccessRuleInput, AccessRuleProblem, ruleMembers } from './access-rule.ts';
import { ApplicationId } from './entities.ts';

const text = Type.String();

export const AccessRule = Type.Object({
  id: text,
  ...ruleMembers,
  createdAt: text,
  updatedAt: text,
  /** In the Shared Configuration Repository; absent: the platform alone keeps it. */
  file: Type.Optional(text),
  /** The commit that gave the file this rule. */
  commit: Type.Optional(text),
});
export type AccessRule = Static<typeof AccessRule>;

/** What holds while an entity has no allow rule: `open`, members may do everything; `closed`, nothing. */
export const AccessDefault = Type.Union([Type.Literal('open'), Type.Literal('closed')]);
export type AccessDefault = Static<typeof AccessDefault>;

/** Whether rights follow Git: not at all, for acts, or for what people see too. */
export const GitRightsSetting = Type.Union([Type.Literal('off'), ...GitRightsEnforced.anyOf]);
export type GitRightsSetting = Static<typeof GitRightsSetting>;

export const AccessRules = Type.Object({
  default: AccessDefault,
  items: Type.Array(AccessRule),
  gitRights: Type.Object({
    enforce: GitRightsSetting,
    /** The commit that made it so. */
    commit: Type.Optional(text),
  }),
  /** Where rules are kept as files; absent: no runtime reports any, and the platform keeps them. */
  source: Type.Optional(
    Type.Object({
      runtime: text,
      repository: text,
      branch: text,
      /** The newest commit that touched a rule. */
      commit: Type.Optional(Type.Object({ revision: text, author: text, date: text })),
      appliedAt: text,
      /** Files that cannot be taken; what they held last, holds. */
      problems: Type.Array(AccessRuleProblem),
    }),
  ),
});
export type AccessRules = Static<typeof AccessRules>;

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

/** Of what is no application the namespace is ''; a runtime is named twice. */
const Touched = Type.Object({ count: Type.Integer(), samples: Type.Array(ApplicationId) });

export const AccessPreview = Type.Object({
  items: Type.Array(
    Type.Object({
      /** All who are in exactly these teams; twenty names at most. */
      teams: Type.Array(text),
      users: Type.Object({ count: Type.Integer(), samples: Type.Array(text) }),
      entity: AccessEntity,
      action: AccessAction,
      gains: Touched,
      loses: Touched,
    }),
  ),
  /** There are more groups of people than were looked at. */
  more: Type.Boolean(),
});
export type AccessPreview = Static<typeof AccessPreview>;

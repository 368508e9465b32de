// Access rules as files of the Shared Configuration Repository: the shape of a file, and what a runtime reports of all.
import { type Static, Type } from 'typebox';
import { GitRightsEnforced } from '../access/git-rights.ts';
import { AccessRuleInput, AccessRuleProblem, maxAccessRules } from '../api/access-rule.ts';

const text = Type.String();
const { name, attributes, ...required } = AccessRuleInput.properties;
const texts = Type.Record(Type.String(), Type.String());

export const accessRuleKind = { apiVersion: 'fairlead.io/v1alpha1', kind: 'AccessRule' } as const;

/** One file; without `attributes` the rule holds for everything. A misspelt field is refused, never ignored. */
export const AccessRuleManifest = Type.Object(
  {
    apiVersion: Type.Literal(accessRuleKind.apiVersion),
    kind: Type.Literal(accessRuleKind.kind),
    metadata: Type.Object(
      { name, labels: Type.Optional(texts), annotations: Type.Optional(texts) },
      { additionalProperties: false },
    ),
    spec: Type.Object({ ...required, attributes: Type.Optional(attributes) }, { additionalProperties: false }),
  },
  { additionalProperties: false },
);
export type AccessRuleManifest = Static<typeof AccessRuleManifest>;

const RuleCommit = Type.Object({ revision: text, author: text, email: text, date: text });

/** All rules of the repository at one commit; the same commit always gives the same report. */
export const AccessRulesReport = Type.Object({
  repository: text,
  branch: text,
  /** The newest commit that touched a rule; absent while there never was one. */
  commit: Type.Optional(RuleCommit),
  rules: Type.Array(
    Type.Object({
      file: text,
      /** Where the file names its teams. */
      teamsLine: Type.Integer({ minimum: 1 }),
      rule: AccessRuleInput,
      /** The commit that gave the file this rule; an earlier one when the file is broken now. */
      commit: RuleCommit,
    }),
    { maxItems: maxAccessRules },
  ),
  problems: Type.Array(AccessRuleProblem, { maxItems: maxAccessRules }),
  /** Absent: rights do not follow Git. */
  gitRights: Type.Optional(Type.Object({ enforce: GitRightsEnforced, commit: RuleCommit })),
});
export type AccessRulesReport = Static<typeof AccessRulesReport>;

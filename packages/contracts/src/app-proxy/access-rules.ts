// Access rules as files of the Shared Configuration Repository, changed by commits of the acting user.
import { Type } from 'typebox';
import { AccessRuleChange, RuleBase } from '../api/access-rule.ts';
import { AccessRulesReport } from '../events/access-rules.ts';
import { CommitReceipt } from './commit.ts';
import { appProxyApi, appProxyRoute } from './route.ts';

const ruleName = Type.Object({ accessRule: Type.String() });
const committed = Type.Object({ commit: CommitReceipt });

export const accessRuleFileRoutes = {
  readAccessRuleFiles: appProxyRoute({
    method: 'GET',
    path: `${appProxyApi}/access-rules`,
    summary: 'The access rules as the Shared Configuration Repository has them now, with what is wrong in its files.',
    auth: 'user',
    needs: 'admin',
    act: 'access-rule.read-files',
    response: AccessRulesReport,
    maxAnswerBytes: 16 * 1024 * 1024,
  }),
  saveAccessRuleFile: appProxyRoute({
    method: 'PUT',
    path: `${appProxyApi}/access-rules/{accessRule}`,
    summary: 'Writes the access rule of this name into its file, by a commit; a rule with another name renames it.',
    auth: 'user',
    needs: 'admin',
    act: 'access-rule.commit',
    params: ruleName,
    body: AccessRuleChange,
    response: committed,
  }),
  removeAccessRuleFile: appProxyRoute({
    method: 'DELETE',
    path: `${appProxyApi}/access-rules/{accessRule}`,
    summary: 'Removes the file of the access rule of this name, by a commit.',
    auth: 'user',
    needs: 'admin',
    act: 'access-rule.remove-file',
    params: ruleName,
    query: RuleBase,
    response: committed,
  }),
} as const;

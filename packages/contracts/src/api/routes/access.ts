// Access rules: who may do what.
import { Type } from 'typebox';
import {
  AccessChange,
  AccessDecision,
  AccessDefault,
  AccessPreview,
  AccessRule,
  AccessRules,
  GitRightsSetting,
} from '../access.ts';
import { AccessAction, AccessEntity, AccessRuleChange, AccessRuleInput, RuleBase } from '../access-rule.ts';
import { route } from '../route.ts';
import { optionalText, text } from './fields.ts';

export const accessRoutes = {
  listAccessRules: route({
    method: 'GET',
    path: '/api/v1/access-rules',
    summary: 'The access rules of the account, and what holds where there are none.',
    auth: 'user',
    needs: 'admin',
    response: AccessRules,
  }),
  createAccessRule: route({
    method: 'POST',
    path: '/api/v1/access-rules',
    summary: 'Adds an access rule, by a commit where rules are files; it holds from the next request on.',
    auth: 'user',
    needs: 'admin',
    status: 201,
    body: AccessRuleInput,
    response: AccessRule,
  }),
  updateAccessRule: route({
    method: 'PUT',
    path: '/api/v1/access-rules/{rule}',
    summary:
      'Replaces an access rule as a whole, by a commit where rules are files; with `baseSha`, only if nobody changed it since.',
    auth: 'user',
    needs: 'admin',
    params: Type.Object({ rule: text }),
    body: AccessRuleChange,
    response: AccessRule,
  }),
  deleteAccessRule: route({
    method: 'DELETE',
    path: '/api/v1/access-rules/{rule}',
    summary: 'Removes an access rule, by a commit where rules are files.',
    auth: 'user',
    needs: 'admin',
    status: 204,
    params: Type.Object({ rule: text }),
    query: RuleBase,
    response: Type.Null(),
  }),
  setAccessDefault: route({
    method: 'PUT',
    path: '/api/v1/access-default',
    summary: 'What holds while there is no allow rule: open (members may do everything) or closed (nothing).',
    auth: 'user',
    needs: 'admin',
    status: 204,
    body: Type.Object({ default: AccessDefault }),
    response: Type.Null(),
  }),
  previewAccessRules: route({
    method: 'POST',
    path: '/api/v1/access-rules/preview',
    summary: 'Who would gain and lose what by a change of the rules; nothing is changed.',
    auth: 'user',
    needs: 'admin',
    body: AccessChange,
    response: AccessPreview,
  }),
  rebuildAccessRules: route({
    method: 'POST',
    path: '/api/v1/access-rules/rebuild',
    summary: 'Reads the rules in the Shared Configuration Repository again and makes the platform have exactly those.',
    auth: 'user',
    needs: 'admin',
    response: AccessRules,
  }),
  setGitRights: route({
    method: 'PUT',
    path: '/api/v1/git-rights',
    summary: 'Whether rights follow Git (off, for acts, for what people see too), by a commit; answers when it holds.',
    auth: 'user',
    needs: 'admin',
    status: 204,
    body: Type.Object({ enforce: GitRightsSetting }),
    response: Type.Null(),
  }),
  canI: route({
    method: 'GET',
    path: '/api/v1/can-i',
    summary: 'Whether the caller may do an action on an application, runtime, cluster or Git Source, and why.',
    auth: 'user',
    needs: 'member',
    query: Type.Object({
      action: AccessAction,
      entity: AccessEntity,
      runtime: text,
      /** Of an application. */
      namespace: optionalText,
      name: text,
    }),
    response: AccessDecision,
  }),
} as const;

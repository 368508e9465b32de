// Access rules: who may do what.
import { Type } from 'typebox';
import {
  AccessAction,
  AccessChange,
  AccessDecision,
  AccessDefault,
  AccessEntity,
  AccessPreview,
  AccessRule,
  AccessRuleInput,
  AccessRules,
} from '../access.ts';
import { route } from '../route.ts';
import { text } from './fields.ts';

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
    summary: 'Adds an access rule; it holds from the next request on.',
    auth: 'user',
    needs: 'admin',
    status: 201,
    body: AccessRuleInput,
    response: AccessRule,
  }),
  updateAccessRule: route({
    method: 'PUT',
    path: '/api/v1/access-rules/{rule}',
    summary: 'Replaces an access rule as a whole.',
    auth: 'user',
    needs: 'admin',
    params: Type.Object({ rule: text }),
    body: AccessRuleInput,
    response: AccessRule,
  }),
  deleteAccessRule: route({
    method: 'DELETE',
    path: '/api/v1/access-rules/{rule}',
    summary: 'Removes an access rule.',
    auth: 'user',
    needs: 'admin',
    status: 204,
    params: Type.Object({ rule: text }),
    response: Type.Null(),
  }),
  setAccessDefault: route({
    method: 'PUT',
    path: '/api/v1/access-default',
    summary: 'What holds while there is no allow rule: open (members may everything) or closed (nothing).',
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
  canI: route({
    method: 'GET',
    path: '/api/v1/can-i',
    summary: 'Whether the caller may do an action on an application, and why.',
    auth: 'user',
    needs: 'member',
    query: Type.Object({ action: AccessAction, entity: AccessEntity, runtime: text, namespace: text, name: text }),
    response: AccessDecision,
  }),
} as const;

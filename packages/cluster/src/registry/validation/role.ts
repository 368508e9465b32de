// Roles and their bindings.
import { equalJson, type KubeObject, listAt } from '@fairlead/kube/object';
import type { FieldError } from '../resource-type.ts';
import { required } from './rules.ts';

export function validateRole(object: KubeObject): readonly FieldError[] {
  return listAt(object, 'rules').flatMap((rule, index) =>
    listAt(rule, 'verbs').length === 0
      ? [required(`rules[${index}].verbs`, 'verbs must contain at least one value')]
      : [],
  );
}

export function validateRoleRef(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  if (!previous || equalJson(object['roleRef'], previous['roleRef'])) return [];
  return [{ type: 'Invalid', field: 'roleRef', message: 'cannot change roleRef', value: object['roleRef'] }];
}

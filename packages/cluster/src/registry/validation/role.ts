// Roles and their bindings.
import { equalJson, type KubeObject, listAt, stringAt } from '@fairlead/kube/object';
import type { FieldError } from '../resource-type.ts';
import { required, unsupported } from './rules.ts';

export function validateRole(object: KubeObject): readonly FieldError[] {
  return listAt(object, 'rules').flatMap((rule, index) =>
    listAt(rule, 'verbs').length === 0
      ? [required(`rules[${index}].verbs`, 'verbs must contain at least one value')]
      : [],
  );
}

const rbac = 'rbac.authorization.k8s.io';

export function validateBinding(object: KubeObject, previous: KubeObject | undefined): readonly FieldError[] {
  const { roleRef } = object;
  const isChanged = previous && !equalJson(roleRef, previous['roleRef']);
  const kinds = object.kind === 'RoleBinding' ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const [group, kind = ''] = [stringAt(roleRef, 'apiGroup'), stringAt(roleRef, 'kind')];
  return [
    ...(isChanged
      ? [{ type: 'Invalid' as const, field: 'roleRef', message: 'cannot change roleRef', value: roleRef }]
      : []),
    ...(group === rbac ? [] : [unsupported('roleRef.apiGroup', group, [rbac])]),
    ...(kinds.includes(kind) ? [] : [unsupported('roleRef.kind', kind, kinds)]),
    ...(stringAt(roleRef, 'name') ? [] : [required('roleRef.name')]),
    ...listAt(object, 'subjects').flatMap((subject, index) =>
      subjectErrors(subject, { at: `subjects[${index}]`, needsNamespace: object.kind === 'ClusterRoleBinding' }),
    ),
  ];
}

interface SubjectPlace {
  readonly at: string;
  /** The binding has none that could be meant. */
  readonly needsNamespace: boolean;
}

function subjectErrors(subject: unknown, { at, needsNamespace }: SubjectPlace): FieldError[] {
  const [kind = '', group = ''] = [stringAt(subject, 'kind'), stringAt(subject, 'apiGroup')];
  const isAccount = kind === 'ServiceAccount';
  const wanted = isAccount ? '' : rbac;
  const kinds = ['ServiceAccount', 'User', 'Group'];
  return [
    ...(stringAt(subject, 'name') ? [] : [required(`${at}.name`)]),
    ...(kinds.includes(kind) ? [] : [unsupported(`${at}.kind`, kind, kinds)]),
    ...(kinds.includes(kind) && group !== wanted ? [unsupported(`${at}.apiGroup`, group, [wanted])] : []),
    ...(isAccount && needsNamespace && !stringAt(subject, 'namespace') ? [required(`${at}.namespace`)] : []),
  ];
}

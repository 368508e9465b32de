// Prefix, suffix and namespace of every object. Names that others outside the build rely on stay.
import { changeField, type FieldSpec } from './field-spec.ts';
import { isFields, put, textOf } from './fields.ts';
import type { Kustomization } from './kustomization.ts';
import type { Resource } from './resource.ts';

const keepsName = ({ id }: Resource): boolean =>
  ['CustomResourceDefinition', 'Namespace'].includes(id.kind) ||
  (id.kind === 'APIService' && id.group === 'apiregistration.k8s.io');

export function addPrefixAndSuffix(resources: readonly Resource[], { fields }: Kustomization): void {
  const [prefix, suffix] = [textOf(fields['namePrefix']), textOf(fields['nameSuffix'])];
  for (const resource of resources) {
    if (keepsName(resource)) continue;
    if (prefix) resource.prefixes.push(prefix);
    if (suffix) resource.suffixes.push(suffix);
    resource.rename(`${prefix}${resource.name}${suffix}`);
  }
}

const namespaceFields: readonly FieldSpec[] = [
  { path: 'spec/service/namespace', group: 'apiregistration.k8s.io', kind: 'APIService', create: true },
  {
    path: 'spec/conversion/webhook/clientConfig/service/namespace',
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
  },
];

export function setNamespace(resources: readonly Resource[], { fields }: Kustomization): void {
  const namespace = textOf(fields['namespace']);
  if (namespace === '') return;
  for (const resource of resources) {
    if (resource.kind === 'Namespace' && resource.id.group === '') resource.rename(namespace);
    else if (!resource.isClusterScoped) resource.moveTo(namespace);
    for (const spec of namespaceFields) changeField(resource, spec, () => namespace);
    if (resource.kind === 'RoleBinding' || resource.kind === 'ClusterRoleBinding')
      setDefaultSubjects(resource, namespace);
  }
}

/** Of the subjects only the account "default" surely means the one of the new namespace; others follow by reference. */
function setDefaultSubjects(resource: Resource, namespace: string): void {
  changeField(resource, { path: 'subjects' }, (subject) => {
    if (isFields(subject) && subject['kind'] === 'ServiceAccount' && subject['name'] === 'default') {
      put(subject, 'namespace', namespace);
    }
    return subject;
  });
}

// Prefix, suffix and namespace of every object. Names that others outside the build rely on stay.
import { changeField, type FieldSpec } from './field-spec.ts';
import { isFields, put, textOf } from './fields.ts';
import type { Kustomization } from './kustomization.ts';
import type { Resource } from './resource.ts';

const keepsName = ({ id }: Resource): boolean =>
  ['CustomResourceDefinition', 'Namespace'].includes(id.kind) ||
  (id.kind === 'APIService' && id.group === 'apiregistration.k8s.io');

export function addPrefixAndSuffix(resources: readonly Resource[], { fields, config }: Kustomization): void {
  const [prefix, suffix] = [textOf(fields['namePrefix']), textOf(fields['nameSuffix'])];
  for (const resource of resources) {
    if (keepsName(resource)) continue;
    if (prefix) resource.prefixes.push(prefix);
    if (suffix) resource.suffixes.push(suffix);
    resource.rename(`${prefix}${resource.name}${suffix}`);
    affixFields(resource, config.specs.namePrefix, (text) => prefix + text);
    affixFields(resource, config.specs.nameSuffix, (text) => text + suffix);
  }
}

function affixFields(resource: Resource, specs: readonly FieldSpec[] = [], change: (text: string) => string): void {
  for (const spec of specs.filter(({ path }) => path !== 'metadata/name'))
    changeField(resource, { ...spec, create: false }, (value) => (typeof value === 'string' ? change(value) : value));
}

const namespaceFields: readonly FieldSpec[] = [
  { path: 'spec/service/namespace', group: 'apiregistration.k8s.io', kind: 'APIService', create: true },
  {
    path: 'spec/conversion/webhook/clientConfig/service/namespace',
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
  },
];

/** `renames`: Namespace objects take the name; so it is unless a transformer's own paths leave it out. */
export function setNamespace(
  resources: readonly Resource[],
  { fields, config }: Kustomization,
  { renames = true }: { renames?: boolean } = {},
): void {
  const namespace = textOf(fields['namespace']);
  if (namespace === '') return;
  for (const resource of resources) {
    if (resource.kind === 'Namespace' && resource.id.group === '') {
      if (renames) resource.rename(namespace);
    } else if (!resource.isClusterScoped) resource.moveTo(namespace);
    const further = (config.specs.namespace ?? []).filter(
      ({ path }) => !/^(?:metadata\/name(?:space)?|subjects)$/.test(path),
    );
    for (const spec of [...namespaceFields, ...further]) changeField(resource, spec, () => namespace);
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

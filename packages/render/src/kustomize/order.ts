// The order of the output: as read (fifo), or by kind (legacy, the default): what others need first, webhooks last.
import { RenderError } from '../errors.ts';
import { fieldsOf, listOf } from './fields.ts';
import { type Kustomization, onlyFields } from './kustomization.ts';
import type { Resource } from './resource.ts';

const firstKinds = [
  'Namespace',
  'ResourceQuota',
  'StorageClass',
  'CustomResourceDefinition',
  'ServiceAccount',
  'PodSecurityPolicy',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'ConfigMap',
  'Secret',
  'Endpoints',
  'Service',
  'LimitRange',
  'PriorityClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Deployment',
  'StatefulSet',
  'CronJob',
  'PodDisruptionBudget',
];
const lastKinds = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

export function inOrder(resources: readonly Resource[], { fields, file }: Kustomization): readonly Resource[] {
  const options = fieldsOf(fields['sortOptions']);
  onlyFields(options, ['order', 'legacySortOptions'], `${file}: sortOptions`);
  const { order = 'legacy' } = options;
  if (order === 'fifo') return resources;
  if (order !== 'legacy') throw new RenderError(`${file}: sortOptions.order must be "legacy" or "fifo"`);
  const legacy = fieldsOf(options['legacySortOptions']);
  const hasOwn = options['legacySortOptions'] !== undefined;
  const first = hasOwn ? listOf(legacy['orderFirst']).map(String) : firstKinds;
  const last = hasOwn ? listOf(legacy['orderLast']).map(String) : lastKinds;
  return legacyOrder(resources, { first, last });
}

function legacyOrder(
  resources: readonly Resource[],
  { first, last }: { first: readonly string[]; last: readonly string[] },
): Resource[] {
  const rankOf = (kind: string) =>
    first.includes(kind) ? first.indexOf(kind) - first.length : last.includes(kind) ? last.indexOf(kind) + 1 : 0;
  const keyed = resources.map((resource) => ({ resource, rank: rankOf(resource.kind), ...sortKeys(resource) }));
  keyed.sort((a, b) => a.rank - b.rank || compare(a.kindKey, b.kindKey) || compare(a.nameKey, b.nameKey));
  return keyed.map(({ resource }) => resource);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function sortKeys({ id, namespace }: Resource): { kindKey: string; nameKey: string } {
  return {
    kindKey: [id.group || '~G', id.version || '~V', id.kind || '~K'].join('_'),
    nameKey: [namespace || '~X', id.name || '~N'].join('|'),
  };
}

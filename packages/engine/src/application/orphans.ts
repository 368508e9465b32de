// Objects in an application's namespace that belong to nobody: told when the project asks for it. Pure.
import { gvkOf, isRecord, type KubeObject, listAt, stringAt, valueAt } from '@fairlead/kube';
import picomatch from 'picomatch';
import { type ClusterCache, trackedBy } from '../live/index.ts';

type Cache = Pick<ClusterCache, 'ownerless' | 'tracking'>;

/** Made in every namespace by Kubernetes itself. */
function isOfKubernetes(object: KubeObject): boolean {
  const { kind, metadata } = object;
  if (kind === 'ServiceAccount') return metadata.name === 'default';
  if (kind === 'ConfigMap') return metadata.name === 'kube-root-ca.crt';
  if (kind === 'Secret') return stringAt(object, 'type') === 'kubernetes.io/service-account-token';
  return kind === 'Service' && metadata.name === 'kubernetes' && metadata.namespace === 'default';
}

export function orphansOf(project: KubeObject, namespace: string, cache: Cache): KubeObject[] {
  const rules = valueAt(project, 'spec', 'orphanedResources');
  if (!isRecord(rules) || namespace === '') return [];
  const ignored = listAt(rules, 'ignore');
  return cache
    .ownerless(namespace)
    .filter((object) => trackedBy(object, cache.tracking) === undefined && !isOfKubernetes(object))
    .filter((object) => !ignored.some((rule) => isHit(rule, object)));
}

export function orphanConditions(project: KubeObject, orphans: readonly KubeObject[]) {
  const isWanted = valueAt(project, 'spec', 'orphanedResources', 'warn') !== false;
  if (!isWanted || orphans.length === 0) return [];
  return [{ type: 'OrphanedResourceWarning', message: `Application has ${orphans.length} orphaned resources` }];
}

function isHit(rule: unknown, object: KubeObject): boolean {
  const { group, kind } = gvkOf(object);
  const fits = (field: string, text: string) => {
    const pattern = stringAt(rule, field) ?? '';
    return pattern === '' || pattern === text || picomatch.isMatch(text, pattern, { bash: true });
  };
  return fits('group', group) && fits('kind', kind) && fits('name', object.metadata.name);
}

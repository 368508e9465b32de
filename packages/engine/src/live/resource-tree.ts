// The tree of an application as Argo CD shows it: managed objects and everything they own, down to pods.
import type { ResourceNode } from '@fairlead/contracts';
import { gvkOf, type KubeObject, listAt, stringAt } from '@fairlead/kube';
import type { HealthOf } from '../health/index.ts';
import type { ClusterCache } from './cluster-cache.ts';
import { networkingOf } from './networking.ts';
import { podSummary } from './pod-status.ts';

/** Bounds what one application can make the engine hold and send. */
const maxNodes = 10_000;

export function resourceTree(
  cache: Pick<ClusterCache, 'children'>,
  roots: readonly KubeObject[],
  healthOf: HealthOf,
): ResourceNode[] {
  return descendants(cache, roots).map((object) => toNode(object, healthOf));
}

/** The roots and what they own, breadth first, each once. */
export function descendants(cache: Pick<ClusterCache, 'children'>, roots: readonly KubeObject[]): KubeObject[] {
  const seen = new Set<string>();
  const found: KubeObject[] = [];
  const open = [...roots];
  for (let object = open.shift(); object && found.length < maxNodes; object = open.shift()) {
    const { uid = '' } = object.metadata;
    if (uid !== '' && seen.has(uid)) continue;
    seen.add(uid);
    found.push(object);
    if (uid !== '') open.push(...cache.children(uid));
  }
  return found;
}

function toNode(object: KubeObject, healthOf: HealthOf): ResourceNode {
  const { group, version, kind } = gvkOf(object);
  const { namespace, name, uid, resourceVersion, creationTimestamp, ownerReferences = [] } = object.metadata;
  const parentRefs = ownerReferences.map((owner) => ({
    group: gvkOf(owner).group,
    kind: owner.kind,
    namespace: namespace ?? '',
    name: owner.name,
    uid: owner.uid,
  }));
  const details = kind === 'Pod' && group === '' ? podDetails(object) : revisionDetails(object);
  const health = healthOf(object);
  const networkingInfo = networkingOf(object);
  return {
    group,
    version,
    kind,
    namespace: namespace ?? '',
    name,
    ...(uid ? { uid } : {}),
    ...(parentRefs.length > 0 ? { parentRefs } : {}),
    ...details,
    ...(networkingInfo ? { networkingInfo } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
    ...(health ? { health } : {}),
    ...(creationTimestamp ? { createdAt: creationTimestamp } : {}),
  };
}

function podDetails(pod: KubeObject): Pick<ResourceNode, 'info' | 'images'> {
  const { reason, ready, total, restarts } = podSummary(pod);
  const node = stringAt(pod, 'spec', 'nodeName');
  return {
    info: [
      ...(reason ? [{ name: 'Status Reason', value: reason }] : []),
      ...(node ? [{ name: 'Node', value: node }] : []),
      { name: 'Containers', value: `${ready}/${total}` },
      ...(restarts > 0 ? [{ name: 'Restart Count', value: String(restarts) }] : []),
    ],
    images: imagesOf(pod),
  };
}

function revisionDetails({ kind, metadata }: KubeObject): Pick<ResourceNode, 'info'> {
  const revision = metadata.annotations?.['deployment.kubernetes.io/revision'];
  if (!revision || (kind !== 'ReplicaSet' && kind !== 'Deployment')) return {};
  return kind === 'ReplicaSet' ? { info: [{ name: 'Revision', value: `Rev:${revision}` }] } : {};
}

/** Images of a pod's containers, each once, in order. */
export function imagesOf(pod: KubeObject): string[] {
  const containers = [...listAt(pod, 'spec', 'initContainers'), ...listAt(pod, 'spec', 'containers')];
  return [...new Set(containers.flatMap((container) => stringAt(container, 'image') ?? []))];
}

// Rendered manifests made ready for the cluster: namespaces filled in, the tracking annotation set, duplicates told.
// Pure.
import { gvkOf, type KubeObject, type ResourceRef, refKey, stringAt } from '@fairlead/kube';
import type { Manifest } from '@fairlead/render';
import { type Tracking, trackingId, withTracking } from '../live/index.ts';

export interface Target {
  readonly ref: ResourceRef;
  readonly object: KubeObject;
  readonly namespaced: boolean;
}

interface TargetInput {
  readonly manifests: readonly Manifest[];
  readonly application: string;
  readonly namespace: string;
  readonly tracking?: Tracking | undefined;
  /** Undefined for kinds the cluster does not have (yet). */
  readonly isNamespaced: (kind: { group: string; kind: string }) => boolean | undefined;
}

export interface Targets {
  readonly targets: ReadonlyMap<string, Target>;
  /** One message per object that the source holds more than once; the last one counts. */
  readonly repeated: readonly string[];
}

export function prepareTargets({ manifests, application, namespace, tracking, isNamespaced }: TargetInput): Targets {
  const scopes = scopesOf(manifests);
  const targets = new Map<string, Target>();
  const counts = new Map<string, number>();
  for (const manifest of manifests) {
    const kind = gvkOf(manifest);
    const namespaced = isNamespaced(kind) ?? scopes.get(`${kind.group}/${kind.kind}`) ?? true;
    const target = toTarget(manifest, { application, namespace, namespaced, tracking });
    // Objects that get their name when they are made are all different.
    const key = target.ref.name ? refKey(target.ref) : `${refKey(target.ref)}#${targets.size}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    targets.set(key, target);
  }
  const repeated = [...counts]
    .filter(([, count]) => count > 1)
    .map(([key, count]) => `Resource ${key} appeared ${count} times among application resources.`);
  return { targets, repeated };
}

/** Kinds that come with the source itself. */
function scopesOf(manifests: readonly Manifest[]): ReadonlyMap<string, boolean> {
  const crds = manifests.filter((manifest) => manifest.kind === 'CustomResourceDefinition');
  return new Map(
    crds.map((crd) => {
      const key = `${stringAt(crd, 'spec', 'group')}/${stringAt(crd, 'spec', 'names', 'kind')}`;
      return [key, stringAt(crd, 'spec', 'scope') === 'Namespaced'];
    }),
  );
}

function toTarget(
  manifest: Manifest,
  place: { application: string; namespace: string; namespaced: boolean; tracking?: Tracking | undefined },
): Target {
  const { application, namespace, namespaced, tracking } = place;
  const object = manifest as unknown as KubeObject; // rendering has checked apiVersion, kind and name
  const { namespace: own, ...metadata } = object.metadata;
  const kind = gvkOf(object);
  const home = own ?? namespace;
  const where = namespaced ? { namespace: home } : {};
  const ref = { ...kind, ...where, name: metadata.name };
  const placed = { ...object, metadata: { ...metadata, ...where } };
  const id = trackingId(application, { ...kind, namespace: home, name: metadata.name });
  return { ref, namespaced, object: isUntracked(object) ? placed : withTracking(placed, id, tracking) };
}

/** CRDs are shared by nature; Argo CD does not track them either, so they are never pruned. */
const isUntracked = ({ kind }: KubeObject) => kind === 'CustomResourceDefinition';

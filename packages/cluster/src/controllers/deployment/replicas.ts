// How many pods each ReplicaSet of a Deployment should have now. Pure; Kubernetes' own rules for rolling updates.
import { type KubeObject, numberAt, stringAt, valueAt } from '@fairlead/kube/object';

export interface ScaleStep {
  readonly set: KubeObject;
  readonly replicas: number;
}

export const replicasOf = (object: KubeObject): number => numberAt(object, 'spec', 'replicas') ?? 0;
export const availableOf = (set: KubeObject): number => numberAt(set, 'status', 'availableReplicas') ?? 0;
export const sum = (sets: readonly KubeObject[], value: (set: KubeObject) => number): number =>
  sets.reduce((total, set) => total + value(set), 0);

export interface Bounds {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** Percentages round up for surge and down for unavailability; both zero would never move. */
export function boundsOf(deployment: KubeObject): Bounds {
  if (stringAt(deployment, 'spec', 'strategy', 'type') === 'Recreate')
    return { maxSurge: 0, maxUnavailable: replicasOf(deployment) };
  const replicas = replicasOf(deployment);
  const read = (field: string, round: (value: number) => number) => {
    const value = valueAt(deployment, 'spec', 'strategy', 'rollingUpdate', field);
    if (typeof value === 'number') return value;
    return typeof value === 'string' ? round((replicas * Number.parseFloat(value)) / 100) : 0;
  };
  const maxSurge = read('maxSurge', Math.ceil);
  const maxUnavailable = read('maxUnavailable', Math.floor);
  return { maxSurge, maxUnavailable: Math.min(replicas, maxSurge === 0 && maxUnavailable === 0 ? 1 : maxUnavailable) };
}

/** Replicas the new set may have beside the old ones. */
export function newSetReplicas(
  deployment: KubeObject,
  { newSet, oldSets }: { newSet: number; oldSets: readonly KubeObject[] },
): number {
  const wanted = replicasOf(deployment);
  if (stringAt(deployment, 'spec', 'strategy', 'type') === 'Recreate' || newSet >= wanted) return wanted;
  const room = wanted + boundsOf(deployment).maxSurge - sum(oldSets, replicasOf) - newSet;
  return newSet + Math.max(0, Math.min(room, wanted - newSet));
}

interface Sets {
  readonly newSet: KubeObject | undefined;
  readonly oldSets: readonly KubeObject[];
}

/** The next step of a rolling update; empty when there is nothing to do until pods have moved on. */
export function rollingSteps(deployment: KubeObject, { newSet, oldSets }: Sets): readonly ScaleStep[] {
  if (!newSet) return [];
  const target = newSetReplicas(deployment, { newSet: replicasOf(newSet), oldSets });
  if (target !== replicasOf(newSet)) return [{ set: newSet, replicas: target }];
  return scaleDownOld(deployment, newSet, oldSets);
}

function scaleDownOld(
  deployment: KubeObject,
  newSet: KubeObject,
  oldSets: readonly KubeObject[],
): readonly ScaleStep[] {
  const active = oldSets.filter((set) => replicasOf(set) > 0);
  if (active.length === 0) return [];
  const all = [newSet, ...active];
  const minAvailable = replicasOf(deployment) - boundsOf(deployment).maxUnavailable;
  const newUnavailable = replicasOf(newSet) - availableOf(newSet);
  let budget = sum(all, replicasOf) - minAvailable - newUnavailable;
  if (budget <= 0) return [];
  const left = new Map(active.map((set) => [set, replicasOf(set)]));
  // Pods that do not work go first: nobody misses them.
  for (const set of active) {
    const cut = Math.min(budget, replicasOf(set) - availableOf(set));
    if (cut <= 0) continue;
    left.set(set, replicasOf(set) - cut);
    budget -= cut;
  }
  let surplus = Math.min(budget, sum(all, availableOf) - minAvailable);
  for (const set of active) {
    const present = left.get(set) ?? 0;
    const cut = Math.max(0, Math.min(surplus, present));
    left.set(set, present - cut);
    surplus -= cut;
  }
  return [...left]
    .filter(([set, replicas]) => replicas !== replicasOf(set))
    .map(([set, replicas]) => ({ set, replicas }));
}

/** Recreate: first the old pods go, then the new ones come. */
export function recreateSteps(deployment: KubeObject, { newSet, oldSets }: Sets): readonly ScaleStep[] {
  const active = oldSets.filter((set) => replicasOf(set) > 0);
  if (active.length > 0) return active.map((set) => ({ set, replicas: 0 }));
  if (!newSet || replicasOf(newSet) === replicasOf(deployment)) return [];
  return [{ set: newSet, replicas: replicasOf(deployment) }];
}

/** A paused deployment does not roll, but its active set follows the wanted number. */
export function pausedSteps(deployment: KubeObject, { newSet, oldSets }: Sets): readonly ScaleStep[] {
  const active = [newSet, ...oldSets].filter((set) => set !== undefined).filter((set) => replicasOf(set) > 0);
  const only = active.length === 1 ? active[0] : undefined;
  return only && replicasOf(only) !== replicasOf(deployment) ? [{ set: only, replicas: replicasOf(deployment) }] : [];
}

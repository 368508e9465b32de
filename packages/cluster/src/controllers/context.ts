import { type Clock, type Logger, mapLimit } from '@fairlead/base';
import type { KubeObject } from '@fairlead/kube/object';
import type { EventRecorder } from '../events/index.ts';
import type { Objects, Target } from '../objects/index.ts';
import type { ResourceType } from '../registry/index.ts';
import type { Stored } from '../storage/index.ts';

export interface ControllerContext {
  readonly objects: Objects;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A running controller. */
export interface Controller {
  stop(): Promise<void>;
}

/** The name under which controllers own the fields they write. */
export const manager = 'kube-controller-manager';

export function builtIn({ registry }: Objects, group: string, kind: string): ResourceType {
  const type = registry.findKind(group, 'v1', kind);
  if (!type) throw new Error(`the registry has no ${group}/v1 ${kind}`);
  return type;
}

/** Where a stored object is; undefined when its kind is no longer served. */
export function targetOf({ registry }: Objects, { resource, object }: Stored): Target | undefined {
  const type = registry.findStored(resource);
  return type && { type, namespace: object.metadata.namespace ?? '', name: object.metadata.name };
}

export const keyOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;

export function splitKey(key: string): { namespace: string; name: string } {
  const at = key.indexOf('/');
  return { namespace: key.slice(0, at), name: key.slice(at + 1) };
}

/** Enough to fill one group commit. */
const deletesAtOnce = 256;

/** Deletes what is not yet on its way out; resolves to how many still wait for a finalizer or their grace period. */
export async function deleteAll({ objects }: ControllerContext, contents: readonly Stored[]): Promise<number> {
  const areGone = await mapLimit(contents, deletesAtOnce, async (stored) => {
    const target = targetOf(objects, stored);
    const present = target && objects.find(target);
    if (!target || present?.object.metadata.uid !== stored.object.metadata.uid) return true;
    if (present?.object.metadata.deletionTimestamp) return false;
    return (await objects.delete(target, { propagationPolicy: 'Background' })).gone;
  });
  return areGone.filter((isGone) => !isGone).length;
}

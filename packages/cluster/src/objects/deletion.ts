// What a delete request means for an object: gone now, or marked and waiting for finalizers or its grace period. Pure.
import { toKubeTime } from '@fairlead/base';
import type { KubeObject } from '@fairlead/kube/object';
import type { ResourceType } from '../registry/index.ts';

export interface DeleteOptions {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
  readonly dryRun?: boolean | undefined;
}

export type DeletionPlan =
  | { readonly type: 'remove' }
  | { readonly type: 'mark'; readonly object: KubeObject }
  /** Already marked; nothing new was asked for. */
  | { readonly type: 'wait' };

export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';

export function planDeletion(
  type: ResourceType,
  object: KubeObject,
  { propagationPolicy, gracePeriodSeconds, nowMs }: DeleteOptions & { nowMs: number },
): DeletionPlan {
  const { metadata } = object;
  const added = metadata.deletionTimestamp ? [] : (type.finalizersAtDeletion ?? []);
  const present = [...new Set([...(metadata.finalizers ?? []), ...added])];
  const finalizers = finalizersFor(present, propagationPolicy);
  const usualSeconds = type.graceSeconds?.(object) ?? 0;
  const graceSeconds = usualSeconds === 0 ? 0 : Math.max(0, gracePeriodSeconds ?? usualSeconds);
  const isHeld = finalizers.length > 0 || (type.holdsDeletion?.(object) ?? false);
  if (!isHeld && graceSeconds === 0) return { type: 'remove' };
  if (metadata.deletionTimestamp && (metadata.deletionGracePeriodSeconds ?? 0) <= graceSeconds) return { type: 'wait' };
  const marked = {
    ...object,
    metadata: {
      ...metadata,
      ...(finalizers.length > 0 ? { finalizers } : {}),
      generation: metadata.generation === undefined ? undefined : metadata.generation + 1,
      deletionTimestamp: toKubeTime(nowMs + graceSeconds * 1000),
      ...(type.holdsDeletion ? {} : { deletionGracePeriodSeconds: graceSeconds }),
    },
  };
  return { type: 'mark', object: type.markDeleted?.(marked) ?? marked };
}

function finalizersFor(present: readonly string[], policy: DeleteOptions['propagationPolicy']): readonly string[] {
  if (policy === undefined) return present;
  const others = present.filter((name) => name !== foregroundFinalizer && name !== orphanFinalizer);
  if (policy === 'Foreground') return [...others, foregroundFinalizer];
  return policy === 'Orphan' ? [...others, orphanFinalizer] : others;
}

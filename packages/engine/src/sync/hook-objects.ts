// What happens to the objects of hooks beside being made: their finalizer comes off when their result was read, and they
// are deleted by policy, before the next run or when a sync is ended by a person. Every function may be repeated, and each
// means the very object it was given: one of the same name that was made since, by a newer run, stays as it is.
import { isConflict, isNotFound, type KubeClient, type KubeObject, refOf } from '@fairlead/kube';
import { hookFinalizer } from './hook.ts';
import { propagationOf } from './propagation.ts';
import type { SyncOptions } from './sync-options.ts';

interface HookDeps {
  readonly client: KubeClient;
  readonly signal: AbortSignal;
  readonly observe: (object: KubeObject) => void;
  readonly forget: (object: KubeObject) => void;
  /** What an object owns, as it is known now. */
  readonly dependentsOf: (uid: string) => readonly KubeObject[];
}

export async function releaseHook(live: KubeObject, { client, signal, observe, forget }: HookDeps): Promise<void> {
  const finalizers = live.metadata.finalizers ?? [];
  if (!finalizers.includes(hookFinalizer)) return;
  const left = finalizers.filter((finalizer) => finalizer !== hookFinalizer);
  const { uid } = live.metadata;
  const body = { metadata: { ...(uid ? { uid } : {}), finalizers: left } };
  try {
    const answer = await client.patch(refOf(live), body, { type: 'merge', signal });
    if (answer.metadata.deletionTimestamp && left.length === 0) forget(live);
    else observe(answer);
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
    forget(live); // the index keeps another object of that name
  }
}

export async function deleteHook(
  live: KubeObject,
  propagationPolicy: SyncOptions['propagationPolicy'],
  deps: HookDeps,
): Promise<void> {
  await releaseHook(live, deps);
  if (live.metadata.deletionTimestamp) return;
  const { client, signal, observe, forget } = deps;
  try {
    const { uid } = live.metadata;
    const left = await client.delete(refOf(live), {
      propagationPolicy: propagationOf(live, propagationPolicy, deps.dependentsOf),
      ...(uid ? { preconditions: { uid } } : {}),
      signal,
    });
    if (left?.metadata.deletionTimestamp && (left.metadata.finalizers ?? []).length > 0) observe(left);
    else forget(live);
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
    forget(live);
  }
}

// What happens to the objects of hooks beside being made: their finalizer comes off when their result was read, and they
// are deleted by policy, before the next run or when a sync is ended by a person. Every function may be repeated.
import { isNotFound, type KubeClient, type KubeObject, refOf } from '@fairlead/kube';
import { hookFinalizer } from './hook.ts';
import type { SyncOptions } from './sync-options.ts';

interface HookDeps {
  readonly client: KubeClient;
  readonly signal: AbortSignal;
  readonly observe: (object: KubeObject) => void;
  readonly forget: (object: KubeObject) => void;
}

export async function releaseHook(live: KubeObject, { client, signal, observe, forget }: HookDeps): Promise<void> {
  const finalizers = live.metadata.finalizers ?? [];
  if (!finalizers.includes(hookFinalizer)) return;
  const left = finalizers.filter((finalizer) => finalizer !== hookFinalizer);
  try {
    const answer = await client.patch(refOf(live), { metadata: { finalizers: left } }, { type: 'merge', signal });
    if (answer.metadata.deletionTimestamp && left.length === 0) forget(live);
    else observe(answer);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    forget(live);
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
    const left = await client.delete(refOf(live), { propagationPolicy, signal });
    if (left?.metadata.deletionTimestamp && (left.metadata.finalizers ?? []).length > 0) observe(left);
    else forget(live);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    forget(live);
  }
}

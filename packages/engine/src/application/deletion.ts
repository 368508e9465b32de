// Deleting an Application: with a resources finalizer everything it manages goes first, then the finalizer. Each look
// does what is left to do, so that a crash or a lost event delays it and never skips anything.
import { mapLimit } from '@fairlead/base';
import { type Application, resourcesFinalizer } from '@fairlead/contracts';
import { isNotFound, type KubeClient, type KubeObject, refOf } from '@fairlead/kube';
import type { ClusterCache } from '../live/index.ts';
import {
  hookTypesOf,
  isHook,
  kindRank,
  propagationOf,
  releaseHook,
  resourceSyncOptions,
  waveOf,
} from '../sync/index.ts';
import { isApproved } from './operation-checks.ts';

const parallel = 10;

export type DeletionStep =
  | { readonly step: 'unconfirmed'; readonly message: string }
  | { readonly step: 'waiting'; readonly left: number }
  | { readonly step: 'release' };

interface DeletionDeps {
  readonly client: KubeClient;
  readonly cache: ClusterCache;
  readonly signal: AbortSignal;
}

export async function continueDeletion(application: Application, deps: DeletionDeps): Promise<DeletionStep> {
  const { name, finalizers = [] } = application.metadata;
  const own = finalizers.find((finalizer) => finalizer.startsWith(resourcesFinalizer)) ?? '';
  const managed = deps.cache.managedBy(name).filter((object) => !isKept(object));
  if (managed.length === 0) return { step: 'release' };
  const asked = managed.filter((object) => resourceSyncOptions(object).includes('Delete=confirm'));
  if (asked[0] && !isApproved(application, application.metadata.deletionTimestamp ?? '')) {
    return { step: 'unconfirmed', message: `waiting for deletion confirmation of ${asked.map(nameOf).join(', ')}` };
  }
  const policy = own.endsWith('/background') ? 'Background' : 'Foreground';
  const going = managed.filter((object) => object.metadata.deletionTimestamp);
  const standing = managed.filter((object) => !object.metadata.deletionTimestamp);
  const next = lastWave(standing);
  await mapLimit(going.length > 0 && next.wave !== waveOf(going[0]) ? [] : next.objects, parallel, async (object) => {
    // A hook that a sync has left behind is held by a finalizer of ours.
    if (isHook(object)) await releaseHook(object, hookDeps(deps));
    try {
      const propagationPolicy = propagationOf(object, policy, (uid) => deps.cache.children(uid));
      const left = await deps.client.delete(refOf(object), { propagationPolicy, signal: deps.signal });
      if (left?.metadata.deletionTimestamp) deps.cache.observe(left);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      deps.cache.forget(object);
    }
  });
  return { step: 'waiting', left: managed.length };
}

const hookDeps = ({ client, cache, signal }: DeletionDeps) => ({
  client,
  signal,
  observe: (object: KubeObject) => cache.observe(object),
  forget: (object: KubeObject) => cache.forget(object),
  dependentsOf: (uid: string) => cache.children(uid),
});

const helmPolicy = 'helm.sh/resource-policy';

/** By its own word, or because it runs after everything else is gone. */
function isKept(object: KubeObject): boolean {
  const isHelmKept = object.metadata.annotations?.[helmPolicy] === 'keep';
  return isHelmKept || resourceSyncOptions(object).includes('Delete=false') || isAfterDeletion(object);
}

const isAfterDeletion = (object: KubeObject) => hookTypesOf(object).includes('PostDelete');

const nameOf = ({ kind, metadata }: KubeObject) => `${kind}/${metadata.name}`;

/** What was made last goes first: the highest wave, and in it the last kinds. */
function lastWave(objects: readonly KubeObject[]): { wave: number; objects: KubeObject[] } {
  const wave = Math.max(...objects.map(waveOf));
  const inWave = objects.filter((object) => waveOf(object) === wave);
  return { wave, objects: inWave.sort((a, b) => kindRank(b.kind) - kindRank(a.kind)) };
}

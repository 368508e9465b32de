// Hooks: resources that run around a sync instead of being kept. What an object's annotations say, nothing more. Pure.
//
// Argo CD's annotation wins over Helm's. An object that calls itself a hook of no type we know (Helm's tests and rollback
// hooks) is neither applied nor shown, as in Argo CD.
import type { KubeObject } from '@fairlead/kube';

export type SyncPhase = 'PreSync' | 'Sync' | 'PostSync' | 'SyncFail';
export const syncPhases: readonly SyncPhase[] = ['PreSync', 'Sync', 'PostSync', 'SyncFail'];
/** Run by the controller around the deletion of an Application, never in a sync. */
export type DeletePhase = 'PreDelete' | 'PostDelete';
export type HookPhase = SyncPhase | DeletePhase;
export type HookType = HookPhase | 'Skip';
export type HookDeletePolicy = 'HookSucceeded' | 'HookFailed' | 'BeforeHookCreation';

const hookAnnotation = 'argocd.argoproj.io/hook';
const policyAnnotation = 'argocd.argoproj.io/hook-delete-policy';
const helmHookAnnotation = 'helm.sh/hook';
const helmPolicyAnnotation = 'helm.sh/hook-delete-policy';

/** Keeps a hook in the cluster until its result was read, whoever deletes it. */
export const hookFinalizer = 'argocd.argoproj.io/hook-finalizer';
/** Which attempt of which operation made a hook: a restarted engine takes it up instead of running it twice. */
export const hookRunAnnotation = 'fairlead.io/hook-run';

const types: readonly HookType[] = [...syncPhases, 'PreDelete', 'PostDelete', 'Skip'];
const helmTypes: Readonly<Record<string, HookType>> = {
  'pre-install': 'PreSync',
  'pre-upgrade': 'PreSync',
  'post-install': 'PostSync',
  'post-upgrade': 'PostSync',
  'pre-delete': 'PreDelete',
  'post-delete': 'PostDelete',
};
const policies: readonly HookDeletePolicy[] = ['HookSucceeded', 'HookFailed', 'BeforeHookCreation'];
const helmPolicies: Readonly<Record<string, HookDeletePolicy>> = {
  'hook-succeeded': 'HookSucceeded',
  'hook-failed': 'HookFailed',
  'before-hook-creation': 'BeforeHookCreation',
};

const wordsOf = (object: KubeObject, annotation: string): string[] | undefined =>
  object.metadata.annotations?.[annotation]?.split(',').map((word) => word.trim());

/** The hook types an object names, each once; empty for ordinary resources and for hooks of unknown types. */
export function hookTypesOf(object: KubeObject): readonly HookType[] {
  const own = (wordsOf(object, hookAnnotation) ?? []).flatMap((word) => types.filter((type) => type === word));
  if (own.length > 0) return [...new Set(own)];
  return [...new Set((wordsOf(object, helmHookAnnotation) ?? []).flatMap((word) => helmTypes[word] ?? []))];
}

/** `Skip` alone: the resource is in the source but not to be applied. */
export function isSkipped(object: KubeObject): boolean {
  const found = hookTypesOf(object);
  return found.length === 1 && found[0] === 'Skip';
}

/** Not an ordinary resource: run as a hook, or left out. */
export function isHook(object: KubeObject): boolean {
  if (wordsOf(object, hookAnnotation)) return !isSkipped(object);
  const helm = wordsOf(object, helmHookAnnotation);
  return helm !== undefined && !(helm.length === 1 && helm[0] === 'crd-install');
}

export const phasesOf = (object: KubeObject): readonly SyncPhase[] =>
  syncPhases.filter((phase) => hookTypesOf(object).includes(phase));

/** A hook without a policy is replaced at its next run. */
export function deletePoliciesOf(object: KubeObject): readonly HookDeletePolicy[] {
  const own = (wordsOf(object, policyAnnotation) ?? []).flatMap((word) => policies.filter((policy) => policy === word));
  const helm = (wordsOf(object, helmPolicyAnnotation) ?? []).flatMap((word) => helmPolicies[word] ?? []);
  const found = [...new Set([...own, ...helm])];
  return found.length > 0 ? found : ['BeforeHookCreation'];
}

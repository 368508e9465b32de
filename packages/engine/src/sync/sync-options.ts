// Sync options: of the application or the operation, and of single resources by annotation.
import { syncOptionsAnnotation } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';

export interface SyncOptions {
  readonly prune: boolean;
  readonly dryRun: boolean;
  readonly createNamespace: boolean;
  readonly serverSideApply: boolean;
  readonly replace: boolean;
  readonly force: boolean;
  readonly pruneLast: boolean;
  readonly pruneConfirm: boolean;
  /** `PruneLimit=30%`: the share of an application that a sync may delete unconfirmed (ADR 0010). */
  readonly pruneLimitPercent?: number;
  readonly applyOutOfSyncOnly: boolean;
  readonly failOnSharedResource: boolean;
  readonly respectIgnoreDifferences: boolean;
  readonly skipDryRunOnMissingResource: boolean;
  /** Strategy `apply`: resources only. */
  readonly skipHooks: boolean;
  readonly propagationPolicy: 'Foreground' | 'Background' | 'Orphan';
}

const policies = { foreground: 'Foreground', background: 'Background', orphan: 'Orphan' } as const;

interface OperationFlags {
  readonly prune: boolean;
  readonly dryRun: boolean;
  readonly force?: boolean;
  readonly skipHooks?: boolean;
}

/** Unknown options are ignored, as Argo CD does. */
export function parseSyncOptions(
  options: readonly string[],
  { prune, dryRun, force = false, skipHooks = false }: OperationFlags,
): SyncOptions {
  const has = (option: string) => options.includes(option);
  const limit = /^PruneLimit=(\d{1,3})%$/.exec(options.find((option) => option.startsWith('PruneLimit=')) ?? '')?.[1];
  const policy = options.find((option) => option.startsWith('PrunePropagationPolicy='))?.split('=')[1] ?? '';
  return {
    prune,
    dryRun,
    skipHooks,
    createNamespace: has('CreateNamespace=true'),
    serverSideApply: has('ServerSideApply=true'),
    replace: has('Replace=true'),
    force: force || has('Force=true'),
    pruneLast: has('PruneLast=true'),
    pruneConfirm: has('Prune=confirm'),
    ...(limit === undefined ? {} : { pruneLimitPercent: Number(limit) }),
    applyOutOfSyncOnly: has('ApplyOutOfSyncOnly=true'),
    failOnSharedResource: has('FailOnSharedResource=true'),
    respectIgnoreDifferences: has('RespectIgnoreDifferences=true'),
    skipDryRunOnMissingResource: has('SkipDryRunOnMissingResource=true'),
    propagationPolicy: Object.hasOwn(policies, policy) ? policies[policy as keyof typeof policies] : 'Foreground',
  };
}

/** `argocd.argoproj.io/sync-options: Prune=false,Replace=true`. */
export function resourceSyncOptions(object: KubeObject | undefined): readonly string[] {
  const text = object?.metadata.annotations?.[syncOptionsAnnotation] ?? '';
  return text
    .split(',')
    .map((option) => option.trim())
    .filter((option) => option !== '');
}

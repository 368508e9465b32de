// Sync options: of the application or the operation, and of single resources by annotation.
import { TerminalError } from '@fairlead/base';
import { syncOptionsAnnotation } from '@fairlead/contracts';
import type { KubeObject } from '@fairlead/kube';

export interface SyncOptions {
  readonly prune: boolean;
  readonly dryRun: boolean;
  readonly createNamespace: boolean;
  readonly serverSideApply: boolean;
  readonly replace: boolean;
  readonly pruneLast: boolean;
  readonly applyOutOfSyncOnly: boolean;
  readonly failOnSharedResource: boolean;
  readonly propagationPolicy: 'Foreground' | 'Background' | 'Orphan';
}

/** A sync option that would change what happens, and that this engine does not carry out. */
class UnsupportedSyncOptionError extends TerminalError {
  constructor(option: string, where: string) {
    super('sync_option_unsupported', `sync option ${option} (${where}) is not supported yet`);
  }
}

const unsupported = ['Force=true', 'Prune=confirm', 'Delete=confirm', 'RespectIgnoreDifferences=true'];
const policies = { foreground: 'Foreground', background: 'Background', orphan: 'Orphan' } as const;

export function parseSyncOptions(
  options: readonly string[],
  { prune, dryRun }: { prune: boolean; dryRun: boolean },
): SyncOptions {
  for (const option of options) {
    if (unsupported.includes(option)) throw new UnsupportedSyncOptionError(option, 'of the application');
  }
  const has = (option: string) => options.includes(option);
  const policy = options.find((option) => option.startsWith('PrunePropagationPolicy='))?.split('=')[1] ?? '';
  return {
    prune,
    dryRun,
    createNamespace: has('CreateNamespace=true'),
    serverSideApply: has('ServerSideApply=true'),
    replace: has('Replace=true'),
    pruneLast: has('PruneLast=true'),
    applyOutOfSyncOnly: has('ApplyOutOfSyncOnly=true'),
    failOnSharedResource: has('FailOnSharedResource=true'),
    propagationPolicy: Object.hasOwn(policies, policy) ? policies[policy as keyof typeof policies] : 'Foreground',
  };
}

/** `argocd.argoproj.io/sync-options: Prune=false,Replace=true`. */
export function resourceSyncOptions(object: KubeObject | undefined): readonly string[] {
  const text = object?.metadata.annotations?.[syncOptionsAnnotation] ?? '';
  const options = text.split(',').map((option) => option.trim());
  const bad = options.find((option) => unsupported.includes(option));
  if (bad) throw new UnsupportedSyncOptionError(bad, `on ${object?.kind} ${object?.metadata.name}`);
  return options.filter((option) => option !== '');
}

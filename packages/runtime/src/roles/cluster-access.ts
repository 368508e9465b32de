// Roles may start before their cluster: they wait for its kubeconfig, and say so once.
import { type Clock, errorMessage, type Logger, sleep } from '@fairlead/base';
import { defaultEngineNamespace } from '@fairlead/contracts';
import { Informer, KubeClient, loadKubeconfig } from '@fairlead/kube';
import type { RepositoryAccessOptions } from '@fairlead/render';

interface AccessOptions {
  readonly kubeconfigFile: string;
  /** Undefined: the current one. */
  readonly kubeconfigContext?: string | undefined;
  readonly log: Logger;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const lookEveryMs = 250;

export async function connectCluster(options: AccessOptions): Promise<KubeClient> {
  const { kubeconfigFile, kubeconfigContext: context, log, clock, signal } = options;
  for (let said = false; ; said = true) {
    try {
      return new KubeClient(await loadKubeconfig(kubeconfigFile, context ? { context } : {}), { clock });
    } catch (error) {
      if (!said) log.info({ reason: errorMessage(error) }, 'waiting for the cluster');
      await sleep(lookEveryMs, { signal, clock });
    }
  }
}

interface EngineAccess {
  readonly client: KubeClient;
  /** `*`: wherever Applications are; repositories are then those of Argo CD's own. */
  readonly engineNamespace: string;
  readonly log: Logger;
  readonly clock: Clock;
}

/** What the engine reads repositories with, for components that read the same ones. */
export function repositoryAccess({ client, engineNamespace, log, clock }: EngineAccess): RepositoryAccessOptions {
  return {
    namespace: engineNamespace === '*' ? defaultEngineNamespace : engineNamespace,
    watch: (query) => new Informer({ client, query, log, clock }),
  };
}

// Roles may start before their cluster: they wait for its kubeconfig, and say so once. Those in a pod are its service account.
import { type Clock, errorMessage, type Logger, sleep } from '@fairlead/base';
import { defaultEngineNamespace } from '@fairlead/contracts';
import { type ConnectionPlace, connectionOf, Informer, KubeClient } from '@fairlead/kube';
import type { RepositoryAccessOptions } from '@fairlead/render';

interface AccessOptions extends ConnectionPlace {
  readonly log: Logger;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const lookEveryMs = 250;

export async function connectCluster(options: AccessOptions): Promise<KubeClient> {
  const { log, clock, signal } = options;
  for (let said = false; ; said = true) {
    try {
      return new KubeClient(await connectionOf(options), { clock });
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

// Roles may start before their cluster: they wait for its kubeconfig, and say so once.
import { type Clock, errorMessage, type Logger, sleep } from '@fairlead/base';
import { KubeClient, loadKubeconfig } from '@fairlead/kube';

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

// Roles may start before their cluster: they wait for its kubeconfig, and say so once.
import { type Clock, errorMessage, type Logger, sleep } from '@fairlead/base';
import { KubeClient, loadKubeconfig } from '@fairlead/kube';

interface AccessOptions {
  readonly kubeconfigFile: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const lookEveryMs = 250;

export async function connectCluster({ kubeconfigFile, log, clock, signal }: AccessOptions): Promise<KubeClient> {
  for (let said = false; ; said = true) {
    try {
      return new KubeClient(await loadKubeconfig(kubeconfigFile), { clock });
    } catch (error) {
      if (!said) log.info({ reason: errorMessage(error) }, 'waiting for the cluster');
      await sleep(lookEveryMs, { signal, clock });
    }
  }
}

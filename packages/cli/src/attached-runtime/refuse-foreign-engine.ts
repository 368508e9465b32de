import { FairleadError } from '@fairlead/base';
import type { KubeClient } from '@fairlead/kube';
import { engineServiceLabels } from '@fairlead/runtime';

/** Two engines on the same Applications would undo each other's work. */
export async function refuseForeignEngine(client: KubeClient, { signal }: { signal: AbortSignal }): Promise<void> {
  const query = { apiVersion: 'v1', kind: 'Service', labelSelector: engineServiceLabels };
  const [service] = (await client.list(query, { signal })).items;
  if (!service) return;
  const { namespace = '', name } = service.metadata;
  throw new FairleadError(
    'conflict',
    `the cluster has an Argo CD (Service ${namespace}/${name}); use it: --argo-cd-url URL --argo-cd-token-file FILE`,
  );
}

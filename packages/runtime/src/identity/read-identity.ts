import { type RuntimeIdentity, runtimeIdentitySecret } from '@fairlead/contracts';
import { isNotFound, type KubeClient } from '@fairlead/kube';
import { identityOf, secretRef } from './secret.ts';

interface ReadOptions {
  readonly namespace: string;
  readonly signal?: AbortSignal | undefined;
}

/** Undefined while the runtime has not registered. */
export async function readIdentity(
  client: KubeClient,
  { namespace, signal }: ReadOptions,
): Promise<RuntimeIdentity | undefined> {
  try {
    return identityOf(await client.get(secretRef(namespace, runtimeIdentitySecret), { signal }));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

import { type RuntimeIdentity, runtimeIdentitySecret } from '@fairlead/contracts';
import type { KubeClient } from '@fairlead/kube';
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
  const secret = await client.find(secretRef(namespace, runtimeIdentitySecret), { signal });
  return secret && identityOf(secret);
}

// Sealing a cluster's credentials to a runtime; the platform only passes them on.
import {
  type ApiClient,
  type ClusterCredentials,
  clusterCredentialsPurpose,
  type Sealed,
  seal,
} from '@fairlead/contracts';

interface Given {
  readonly runtime: string;
  readonly server: string;
  readonly credentials: ClusterCredentials;
}

export async function sealCredentials(api: ApiClient, { runtime, server, credentials }: Given): Promise<Sealed> {
  const [{ key }, { user }] = await Promise.all([
    api.call('getSealingKey', { params: { runtime } }),
    api.call('me', {}),
  ]);
  const purpose = clusterCredentialsPurpose({ userId: user.id, server });
  return seal(JSON.stringify(credentials), { to: key, purpose });
}

// Exchanges a one-time install token for an identity and keeps it in the cluster. The private key is made here and never
// leaves the cluster. Safe to run again after a crash at any point: the key is stored before the platform hears of it,
// and the platform takes the same key again.
import { type Logger, silentLogger } from '@fairlead/base';
import {
  ApiError,
  createApiClient,
  defaultRuntimeNamespace,
  type RuntimeIdentity,
  runtimeIdentitySecret,
} from '@fairlead/contracts';
import { isAlreadyExists, isNotFound, type KubeClient } from '@fairlead/kube';
import { exportJWK, generateKeyPair } from 'jose';
import { readIdentity } from './read-identity.ts';
import { fairleadLabels, fieldsOf, identityFields, privateKeyOf, secretOf, secretRef } from './secret.ts';

export interface RegisterOptions {
  readonly client: KubeClient;
  readonly platformUrl: string;
  readonly installToken: string;
  /** A token of a runtime with another name is refused. */
  readonly runtimeName?: string | undefined;
  /** The token is offered also when the cluster holds an identity: the platform may have forgotten that one. */
  readonly offerAgain?: boolean;
  readonly namespace?: string;
  readonly log?: Logger;
  readonly signal?: AbortSignal | undefined;
}

const pendingSecret = `${runtimeIdentitySecret}-pending`;

/**
 * Gives the identity that is there when the runtime is registered with this platform already. Offered again, a token that
 * is used up or over changes nothing.
 */
export async function registerRuntime(options: RegisterOptions): Promise<RuntimeIdentity> {
  const { client, namespace = defaultRuntimeNamespace, log = silentLogger, signal } = options;
  const platformUrl = options.platformUrl.replace(/\/+$/, '');
  const known = await readIdentity(client, { namespace, signal });
  const own = known?.platformUrl === platformUrl ? known : undefined;
  if (own && !options.offerAgain) return own;
  await ensureNamespace(client, namespace, signal);
  const privateKey = own?.privateKey ?? (await pendingKey(client, { namespace, signal }));
  const answer = await exchange(options, { platformUrl, privateKey }).catch((error: unknown) => {
    if (own && error instanceof ApiError && error.code === 'not_signed_in') return own;
    throw error;
  });
  const identity = { ...answer, platformUrl, privateKey };
  await put(client, secretOf(runtimeIdentitySecret, namespace, identityFields(identity)), signal);
  await client.delete(secretRef(namespace, pendingSecret), { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
  log.info({ runtime: identity.runtimeName, namespace }, 'runtime registered');
  return identity;
}

function exchange(
  { installToken, runtimeName, signal }: RegisterOptions,
  { platformUrl, privateKey: { kty, crv, x } }: Pick<RuntimeIdentity, 'platformUrl' | 'privateKey'>,
) {
  const publicKey = { kty, crv, x };
  const body = { installToken, publicKey, ...(runtimeName === undefined ? {} : { runtimeName }) };
  return createApiClient({ baseUrl: platformUrl }).call('registerRuntime', { body }, { signal });
}

async function ensureNamespace(client: KubeClient, name: string, signal: AbortSignal | undefined): Promise<void> {
  try {
    await client.create(
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { ...fairleadLabels } } },
      { signal },
    );
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

interface Place {
  readonly namespace: string;
  readonly signal: AbortSignal | undefined;
}

/** The key of a registration that was begun, or a new one, stored. */
async function pendingKey(client: KubeClient, { namespace, signal }: Place): Promise<RuntimeIdentity['privateKey']> {
  const begun = await client.find(secretRef(namespace, pendingSecret), { signal });
  const known = begun && privateKeyOf(fieldsOf(begun)['privateKey'] ?? '');
  if (known) return known;
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const { x = '', d = '' } = await exportJWK(privateKey);
  const key = { kty: 'OKP', crv: 'Ed25519', x, d } as const;
  await put(client, secretOf(pendingSecret, namespace, { privateKey: JSON.stringify(key) }), signal);
  return key;
}

async function put(
  client: KubeClient,
  secret: ReturnType<typeof secretOf>,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await client.create(secret, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await client.update(secret, { signal });
  }
}

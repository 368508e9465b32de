// Gives a runtime its account in a cluster, with the rights of the person who runs the command, and brings back a token.
import { type Clock, errorMessage, FairleadError, randomToken, sha256Hex, sleep } from '@fairlead/base';
import {
  type ClusterConnection,
  isAlreadyExists,
  isForbidden,
  isNotFound,
  isUnauthorized,
  KubeClient,
  KubeConnectionError,
  type KubeObject,
  refOf,
  stringAt,
} from '@fairlead/kube';
import { type AccessOptions, accessManifests, accountName, tokenSecret } from './manifests.ts';

export interface ClusterCredentials {
  readonly bearerToken: string;
  readonly tlsClientConfig: { readonly caData?: string; readonly insecure?: boolean; readonly serverName?: string };
}

export interface Granted {
  readonly credentials: ClusterCredentials;
  /** Absent when the token does not end. */
  readonly expiresAt?: string;
  /** Ends tokens that were given before; called when the runtime has the new one. */
  readonly dropOlder: () => Promise<void>;
}

interface GrantOptions extends AccessOptions {
  readonly connection: ClusterConnection;
  readonly context: string;
  /** The account is made anew, so that tokens without a Secret of their own end at once. */
  readonly renew: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const filledWithinMs = 2_000;
const askedSeconds = 365 * 24 * 3600;

export async function grantAccess(options: GrantOptions): Promise<Granted> {
  const client = new KubeClient(options.connection);
  try {
    return await grant(client, options);
  } catch (error) {
    throw explained(error, options);
  } finally {
    await client.close();
  }
}

async function grant(client: KubeClient, options: GrantOptions): Promise<Granted> {
  const { signal } = options;
  if (options.renew) await dropAccount(client, options);
  for (const manifest of accessManifests(options)) await applyOnce(client, manifest, signal);
  const { token, secretName, expiresAt } = await obtainToken(client, options);
  const { ca, insecureSkipTlsVerify, tlsServerName } = options.connection;
  return {
    credentials: {
      bearerToken: token,
      tlsClientConfig: {
        ...(ca ? { caData: Buffer.from(ca).toString('base64') } : {}),
        ...(insecureSkipTlsVerify ? { insecure: true } : {}),
        ...(tlsServerName ? { serverName: tlsServerName } : {}),
      },
    },
    ...(expiresAt ? { expiresAt } : {}),
    dropOlder: () => dropSecrets(options, secretName),
  };
}

async function applyOnce(client: KubeClient, manifest: KubeObject, signal: AbortSignal): Promise<void> {
  try {
    await client.create(manifest, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await client.patch(refOf(manifest), manifest, { type: 'merge', signal });
  }
}

interface Token {
  readonly token: string;
  readonly secretName?: string;
  readonly expiresAt?: string;
}

async function obtainToken(client: KubeClient, options: GrantOptions): Promise<Token> {
  const { clock, signal } = options;
  const created = await client.create(tokenSecret(options, sha256Hex(randomToken()).slice(0, 6)), { signal });
  const deadline = clock.monotonic() + filledWithinMs;
  while (clock.monotonic() < deadline) {
    const filled = stringAt(await client.get(refOf(created), { signal }), 'data', 'token');
    const { name: secretName } = created.metadata;
    if (filled) return { token: Buffer.from(filled, 'base64').toString('utf8'), secretName };
    await sleep(200, { clock, signal });
  }
  await client.delete(refOf(created), { signal });
  return requestToken(client, options);
}

async function requestToken(client: KubeClient, { runtime, namespace, signal }: GrantOptions): Promise<Token> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${accountName(runtime)}/token`;
  const body = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: askedSeconds },
  };
  const answer = await client.raw({ method: 'POST', path, body, signal });
  const token = stringAt(answer, 'status', 'token');
  if (!token) throw new FairleadError('no_token', 'the cluster gave no token for the ServiceAccount');
  const expiresAt = stringAt(answer, 'status', 'expirationTimestamp');
  return { token, ...(expiresAt ? { expiresAt } : {}) };
}

async function dropAccount(client: KubeClient, { runtime, namespace, signal }: GrantOptions): Promise<void> {
  const ref = { group: '', version: 'v1', kind: 'ServiceAccount', namespace, name: accountName(runtime) };
  await client.delete(ref, { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

async function dropSecrets(options: GrantOptions, kept: string | undefined): Promise<void> {
  const { connection, runtime, namespace, signal } = options;
  const client = new KubeClient(connection);
  try {
    const labelSelector = `fairlead.io/runtime=${runtime}`;
    const { items } = await client.list({ apiVersion: 'v1', kind: 'Secret', namespace, labelSelector }, { signal });
    for (const secret of items) {
      const isToken = secret['type'] === 'kubernetes.io/service-account-token';
      if (isToken && secret.metadata.name !== kept) await client.delete(refOf(secret), { signal });
    }
  } finally {
    await client.close();
  }
}

interface Asked {
  readonly context: string;
  readonly connection: ClusterConnection;
  readonly namespace: string;
}

/** Field, cause and remedy, for what usually goes wrong with somebody's kubeconfig. */
export function explained(error: unknown, { context, connection, namespace }: Asked): unknown {
  const { server } = connection;
  if (error instanceof KubeConnectionError) {
    return new FairleadError(
      'cluster_unreachable',
      `--context ${context}: ${server} does not answer (${errorMessage(error)}); check the address and that this machine may reach it`,
    );
  }
  if (isUnauthorized(error)) {
    return new FairleadError(
      'credentials_refused',
      `--context ${context}: ${server} refuses your credentials (expired?); sign in to the cluster again and repeat`,
    );
  }
  if (isForbidden(error)) {
    return new FairleadError(
      'rights_missing',
      `--context ${context}: your rights in ${server} do not suffice: ${errorMessage(error)}; ask for create on ClusterRoles and ClusterRoleBindings and on ServiceAccounts and Secrets in ${namespace}`,
    );
  }
  return error;
}

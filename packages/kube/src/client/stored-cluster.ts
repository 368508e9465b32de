// How a cluster is reached, as Argo CD stores it in a Secret: the server's address, and `config` as JSON. Gives a connection or
// the reason why there is none; credentials never reach a text. Pure.
import { isRecord, type JsonRecord, listAt, recordAt, stringAt, valueAt } from '../object/index.ts';
import type { ClusterConnection } from './kubeconfig.ts';

interface StoredCluster {
  readonly server: string;
  /** The text of `config`; absent and '' mean no credentials. */
  readonly config: string | undefined;
  /** It may name a program that is run for credentials. */
  readonly allowExec: boolean;
}

export type StoredConnection = { readonly isInsecure: boolean } & (
  | { readonly connection: ClusterConnection; readonly problem?: undefined }
  | { readonly connection?: undefined; readonly problem: string }
);

export function readStoredCluster({ server, config: text, allowExec }: StoredCluster): StoredConnection {
  const config = parseConfig(text);
  if (typeof config === 'string') return { isInsecure: false, problem: config };
  const isInsecure = valueAt(config, 'tlsClientConfig', 'insecure') === true;
  const problem = problemOf(server, config, allowExec);
  return problem === undefined
    ? { isInsecure, connection: connectionOf(server, config, isInsecure) }
    : { isInsecure, problem };
}

function parseConfig(text: string | undefined): JsonRecord | string {
  if (!text) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : 'config: must be a JSON object';
  } catch {
    return 'config: is not JSON';
  }
}

/** Ways to connect that are not carried out are refused rather than tried half. */
function problemOf(server: string, config: JsonRecord, allowExec: boolean): string | undefined {
  if (!/^https?:\/\/./.test(server)) return `server: ${JSON.stringify(server)} is not an http(s) address`;
  if (isRecord(config['awsAuthConfig'])) {
    return 'config.awsAuthConfig: is not supported yet; use execProviderConfig with `aws eks get-token`, or bearerToken';
  }
  if (isRecord(config['execProviderConfig'])) {
    if (!allowExec)
      return 'config.execProviderConfig: the engine runs programs only when started with --engine-allow-exec';
    if (!stringAt(config, 'execProviderConfig', 'command')) return 'config.execProviderConfig.command: is required';
  }
  const proxy = config['proxyUrl'];
  if (!proxy || (typeof proxy === 'string' && /^https?:\/\/./.test(proxy))) return undefined;
  return 'config.proxyUrl: must be an http(s) address';
}

function connectionOf(server: string, config: JsonRecord, isInsecure: boolean): ClusterConnection {
  const pem = (name: string) => {
    const encoded = stringAt(config, 'tlsClientConfig', name);
    return encoded ? Buffer.from(encoded, 'base64').toString('utf8') : undefined;
  };
  return {
    server,
    ca: pem('caData'),
    clientCertificate: pem('certData'),
    clientKey: pem('keyData'),
    token: stringAt(config, 'bearerToken') || undefined,
    username: stringAt(config, 'username') || undefined,
    password: stringAt(config, 'password') || undefined,
    insecureSkipTlsVerify: isInsecure,
    tlsServerName: stringAt(config, 'tlsClientConfig', 'serverName') || undefined,
    proxyUrl: stringAt(config, 'proxyUrl') || undefined,
    exec: execOf(config['execProviderConfig']),
  };
}

/** A program on the engine's machine that gives out credentials, as kubectl runs it. */
function execOf(config: unknown): ClusterConnection['exec'] {
  const command = stringAt(config, 'command');
  if (!command) return undefined;
  const environment = Object.entries(recordAt(config, 'env')).map(([name, value]) => [name, String(value)]);
  return {
    apiVersion: stringAt(config, 'apiVersion') || 'client.authentication.k8s.io/v1beta1',
    command,
    args: listAt(config, 'args').map(String),
    env: Object.fromEntries(environment),
    installHint: stringAt(config, 'installHint') || undefined,
    provideClusterInfo: false,
  };
}

// Clusters as Argo CD stores them: Secrets of type `cluster` in the engine's namespace (name, server, config as JSON).
// Reading gives a connection or the reason why there is none; credentials never reach a text.
import { fnv1a } from '@fairlead/base';
import { inClusterServer } from '@fairlead/contracts';
import { type ClusterConnection, isRecord, type KubeObject, listAt, recordAt, stringAt, valueAt } from '@fairlead/kube';

export const secretTypeLabel = 'argocd.argoproj.io/secret-type';
export const inClusterName = 'in-cluster';

export interface ClusterEntry {
  readonly server: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly project?: string | undefined;
  readonly isInsecure: boolean;
  readonly secretName?: string | undefined;
  /** Undefined for the cluster the engine itself lives in. */
  readonly connection?: ClusterConnection | undefined;
  /** Why there is no connection. */
  readonly problem?: string | undefined;
}

export const trimServer = (server: string): string => server.replace(/\/+$/, '');

export const inClusterEntry: ClusterEntry = {
  server: inClusterServer,
  name: inClusterName,
  labels: {},
  annotations: {},
  isInsecure: false,
};

/** `allowExec`: a Secret may name a program that the engine runs for credentials. */
export function parseClusterSecret(secret: KubeObject, { allowExec }: { readonly allowExec: boolean }): ClusterEntry {
  const server = trimServer(field(secret, 'server') ?? '');
  const base = {
    server,
    name: field(secret, 'name') || server,
    labels: secret.metadata.labels ?? {},
    annotations: secret.metadata.annotations ?? {},
    project: field(secret, 'project') || undefined,
    secretName: secret.metadata.name,
  };
  if (server === inClusterServer) return { ...base, isInsecure: false };
  const config = parseConfig(field(secret, 'config'));
  if (typeof config === 'string') return { ...base, isInsecure: false, problem: config };
  const isInsecure = valueAt(config, 'tlsClientConfig', 'insecure') === true;
  const problem = problemOf(server, config, allowExec) ?? namespacesProblem(secret);
  return problem
    ? { ...base, isInsecure, problem }
    : { ...base, isInsecure, connection: connectionOf(server, config, isInsecure) };
}

function field(secret: KubeObject, name: string): string | undefined {
  const encoded = stringAt(secret, 'data', name);
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
}

function parseConfig(text: string | undefined): Readonly<Record<string, unknown>> | string {
  if (!text) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) ? parsed : 'config: must be a JSON object';
  } catch {
    return 'config: is not JSON';
  }
}

/** Ways to connect that are not carried out are refused rather than tried half. */
function problemOf(server: string, config: Readonly<Record<string, unknown>>, allowExec: boolean): string | undefined {
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

const namespacesProblem = (secret: KubeObject): string | undefined =>
  field(secret, 'namespaces') ? 'namespaces: limiting a cluster to namespaces is not supported yet' : undefined;

function connectionOf(
  server: string,
  config: Readonly<Record<string, unknown>>,
  isInsecure: boolean,
): ClusterConnection {
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

/** The name Argo CD gives the Secret of a server. */
export function clusterSecretName(server: string): string {
  const host = /^https?:\/\/([^/:]+)/.exec(server)?.[1]?.toLowerCase() ?? 'cluster';
  return `cluster-${host}-${fnv1a(server)}`;
}

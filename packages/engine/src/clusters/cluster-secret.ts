// Clusters as Argo CD stores them: Secrets of type `cluster` in the engine's namespace (name, server, config as JSON).
// Reading gives a connection or the reason why there is none; credentials never reach a text.
import { fnv1a } from '@fairlead/base';
import { inClusterServer } from '@fairlead/contracts';
import { type ClusterConnection, type KubeObject, readStoredCluster, stringAt } from '@fairlead/kube';

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
  const stored = readStoredCluster({ server, config: field(secret, 'config'), allowExec });
  const problem = stored.problem ?? namespacesProblem(secret);
  return problem === undefined ? { ...base, ...stored } : { ...base, isInsecure: stored.isInsecure, problem };
}

function field(secret: KubeObject, name: string): string | undefined {
  const encoded = stringAt(secret, 'data', name);
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
}

const namespacesProblem = (secret: KubeObject): string | undefined =>
  field(secret, 'namespaces') ? 'namespaces: limiting a cluster to namespaces is not supported yet' : undefined;

/** The name Argo CD gives the Secret of a server. */
export function clusterSecretName(server: string): string {
  const host = /^https?:\/\/([^/:]+)/.exec(server)?.[1]?.toLowerCase() ?? 'cluster';
  return `cluster-${host}-${fnv1a(server)}`;
}

// Kubeconfig files: which cluster, as whom. Certificates and tokens may stand in the file or beside it.
import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { TerminalError } from '@fairlead/base';
import { load, YAMLException } from 'js-yaml';
import { isRecord, listAt, stringAt } from '../object/index.ts';

/** All that is needed to speak to one cluster. */
export interface ClusterConnection {
  /** Base URL, without a slash at the end. */
  readonly server: string;
  /** PEM; the only authority that is trusted for this server. Absent: the system's authorities. */
  readonly ca?: string | undefined;
  readonly token?: string | undefined;
  /** Read again every minute, so that rotated tokens are picked up. */
  readonly tokenFile?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** A program that gives out credentials. */
  readonly exec?: ExecPlugin | undefined;
  /** `http(s)://host:port` of a proxy that all requests go through. */
  readonly proxyUrl?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  readonly tlsServerName?: string | undefined;
  /** Namespace of the context; 'default' when the context names none. */
  readonly namespace?: string | undefined;
}

export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What to do when the program is not there. */
  readonly installHint?: string | undefined;
  readonly provideClusterInfo: boolean;
}

export class KubeconfigError extends TerminalError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super('bad_kubeconfig', message, options);
  }
}

/** `source` is a path, or the text of a kubeconfig itself (recognised by having more than one line). */
export async function loadKubeconfig(source: string, options: { context?: string } = {}): Promise<ClusterConnection> {
  const isText = source.includes('\n');
  const text = isText ? source : await readText(source);
  const folder = isText ? process.cwd() : dirname(source);
  const config = parseConfig(text);
  const contextName = options.context ?? stringAt(config, 'current-context') ?? '';
  const context = named(config, 'contexts', contextName, 'context');
  const cluster = named(config, 'clusters', stringAt(context, 'cluster') ?? '', 'cluster');
  const user = named(config, 'users', stringAt(context, 'user') ?? '', 'user');
  const server = stringAt(cluster, 'server');
  if (!server) throw new KubeconfigError(`cluster of context "${contextName}" has no server`);
  if (isRecord(user['auth-provider'])) {
    throw new KubeconfigError(
      `user of context "${contextName}" uses auth-provider, which Kubernetes has removed; use an exec plugin`,
    );
  }
  const tokenFile = stringAt(user, 'tokenFile');
  return {
    server: server.replace(/\/+$/, ''),
    ca: await pem(cluster, 'certificate-authority', folder),
    clientCertificate: await pem(user, 'client-certificate', folder),
    clientKey: await pem(user, 'client-key', folder),
    token: stringAt(user, 'token'),
    tokenFile: tokenFile && resolve(folder, tokenFile),
    username: stringAt(user, 'username'),
    password: stringAt(user, 'password'),
    exec: isRecord(user['exec']) ? execPlugin(user['exec'], folder) : undefined,
    proxyUrl: stringAt(cluster, 'proxy-url'),
    insecureSkipTlsVerify: cluster['insecure-skip-tls-verify'] === true,
    tlsServerName: stringAt(cluster, 'tls-server-name'),
    namespace: stringAt(context, 'namespace') ?? 'default',
  };
}

const pluginVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

/** A command with a slash in it is beside the file; others are looked for on PATH. */
function execPlugin(given: Record<string, unknown>, folder: string): ExecPlugin {
  const command = stringAt(given, 'command') ?? '';
  const apiVersion = stringAt(given, 'apiVersion') ?? '';
  if (command === '') throw new KubeconfigError('a credential plugin has no command');
  if (!pluginVersions.includes(apiVersion)) {
    throw new KubeconfigError(
      `credential plugin ${command} speaks ${apiVersion}; known are ${pluginVersions.join(', ')}`,
    );
  }
  const env = listAt(given, 'env').map((entry) => [stringAt(entry, 'name') ?? '', stringAt(entry, 'value') ?? '']);
  return {
    apiVersion,
    command: command.includes('/') ? resolve(folder, command) : command,
    args: listAt(given, 'args').map(String),
    env: Object.fromEntries(env),
    installHint: stringAt(given, 'installHint'),
    provideClusterInfo: given['provideClusterInfo'] === true,
  };
}

export interface KubeContext {
  readonly name: string;
  /** Address of its cluster; '' when the file does not say. */
  readonly server: string;
  readonly isCurrent: boolean;
}

/** The contexts of a kubeconfig file, in its order. */
export async function listContexts(file: string): Promise<KubeContext[]> {
  const config = parseConfig(await readText(file));
  const current = stringAt(config, 'current-context');
  const contexts = Array.isArray(config['contexts']) ? config['contexts'] : [];
  return contexts.flatMap((entry: unknown) => {
    const name = stringAt(entry, 'name');
    if (!name) return [];
    const cluster = listed(config, 'clusters', stringAt(entry, 'context', 'cluster') ?? '');
    return [{ name, server: stringAt(cluster, 'cluster', 'server') ?? '', isCurrent: name === current }];
  });
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException; // node:fs throws nothing else
    throw new KubeconfigError(`cannot read ${path}: ${code === 'ENOENT' ? 'there is no such file' : message}`);
  }
}

function parseConfig(text: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = load(text);
  } catch (cause) {
    // Not the parser's own message: it quotes the lines around, and a kubeconfig holds tokens.
    const { reason, mark } = cause instanceof YAMLException ? cause : {};
    throw new KubeconfigError(`line ${(mark?.line ?? 0) + 1} is not valid YAML: ${reason ?? 'cannot be read'}`);
  }
  if (!isRecord(parsed)) throw new KubeconfigError('kubeconfig is not a mapping');
  return parsed;
}

/** kubeconfig lists are [{name, <kind>: {...}}]. */
function named(config: Record<string, unknown>, list: string, name: string, kind: string): Record<string, unknown> {
  const entry = listed(config, list, name);
  if (!isRecord(entry)) throw new KubeconfigError(`kubeconfig has no ${kind} "${name}"`);
  return isRecord(entry[kind]) ? entry[kind] : {};
}

function listed(config: Record<string, unknown>, list: string, name: string): unknown {
  const entries = Array.isArray(config[list]) ? config[list] : [];
  return entries.find((candidate: unknown) => isRecord(candidate) && candidate['name'] === name);
}

const resolve = (folder: string, path: string) => (isAbsolute(path) ? path : join(folder, path));

async function pem(entry: Record<string, unknown>, field: string, folder: string): Promise<string | undefined> {
  const data = stringAt(entry, `${field}-data`);
  if (data) return Buffer.from(data, 'base64').toString('utf8');
  const path = stringAt(entry, field);
  return path ? readText(resolve(folder, path)) : undefined;
}

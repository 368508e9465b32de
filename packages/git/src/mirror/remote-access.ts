// How a remote is spoken to: who we are, whom we trust, and by which way. Pure: what git and ssh must be given as files is
// named here and written by `secret-files.ts`. Every rule is bound to the remote's origin, so that a redirect to another
// server is given nothing.
import { sha256Hex, TerminalError } from '@fairlead/base';
import type { ParsedRepositoryUrl } from '../url/index.ts';
import type { ConfigEntry } from './git-command.ts';

/** How to prove to a server who we are. */
export interface GitCredentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly bearerToken?: string | undefined;
  /** OpenSSH or PEM, without a passphrase. */
  readonly sshPrivateKey?: string | undefined;
  /** PEM; both or none. */
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  /** `http://proxy:3128`, with user and password where it wants them; in place of the environment's. */
  readonly proxy?: string | undefined;
  /** Hosts that are reached without it, separated by commas. */
  readonly noProxy?: string | undefined;
  /** Do not verify the server's certificate, or its host key. */
  readonly insecure?: boolean | undefined;
}

/** Whom we believe beside what the machine believes. */
export interface RemoteTrust {
  /** Lines of an `ssh_known_hosts` file, as in Argo CD's `argocd-ssh-known-hosts-cm`; absent: the machine's own files. */
  readonly knownHosts?: string | undefined;
  /** Host → PEM, as in Argo CD's `argocd-tls-certs-cm`; for these hosts they stand in place of the machine's. */
  readonly certificateAuthorities?: Readonly<Record<string, string>> | undefined;
}

export interface RemoteAccess {
  readonly credentials?: GitCredentials | undefined;
  /** Where the contents of `accessFiles` were written. */
  readonly files?: Readonly<Partial<Record<AccessFile, string>>>;
}

export type AccessFile = 'sshKey' | 'knownHosts' | 'authorities' | 'clientCertificate' | 'clientKey';

/** What has to be in files for this remote. */
export function accessFiles(
  { protocol, origin }: ParsedRepositoryUrl,
  { sshPrivateKey, clientCertificate, clientKey, insecure }: GitCredentials = {},
  { knownHosts, certificateAuthorities = {} }: RemoteTrust = {},
): Partial<Record<AccessFile, string>> {
  const hostname = origin === '' ? '' : new URL(origin).hostname;
  const authorities = Object.hasOwn(certificateAuthorities, hostname) ? certificateAuthorities[hostname] : undefined;
  const wanted: Partial<Record<AccessFile, string | undefined>> =
    protocol === 'ssh'
      ? { sshKey: sshPrivateKey && withNewline(sshPrivateKey), knownHosts: insecure ? undefined : knownHosts }
      : { authorities, clientCertificate, clientKey };
  const given = Object.entries(wanted).filter(([, content]) => content !== undefined);
  return Object.fromEntries(given) as Partial<Record<AccessFile, string>>; // names and contents of `wanted`
}

/** OpenSSH refuses keys whose last line does not end, as they come out of many forms. */
const withNewline = (text: string) => `${text.replaceAll('\r\n', '\n').trimEnd()}\n`;

export function remoteRules(
  remote: ParsedRepositoryUrl,
  access: RemoteAccess,
): { config: ConfigEntry[]; env: Record<string, string> } {
  if (remote.protocol === 'ssh') return { config: [], env: { GIT_SSH_COMMAND: sshCommand(access) } };
  const { credentials, files = {} } = access;
  const rule = (name: string, value: string | undefined): ConfigEntry[] =>
    value === undefined ? [] : [[`http.${remote.origin}.${name}`, value]];
  const config = [
    ...rule('sslVerify', credentials?.insecure ? 'false' : undefined),
    ...rule('sslCAInfo', files.authorities),
    ...rule('sslCert', files.clientCertificate),
    ...rule('sslKey', files.clientKey),
    ...rule('proxy', credentials?.proxy && checked(credentials.proxy)),
  ];
  const identity = identityRules(remote, credentials);
  const noProxy = credentials?.noProxy;
  const env = noProxy === undefined ? {} : { NO_PROXY: noProxy, no_proxy: noProxy };
  return { config: [...config, ...identity.config], env: { ...env, ...identity.env } };
}

/** Names the two variables below; the values are in the environment of the child alone. */
const credentialHelper =
  '!f() { test "$1" = get || exit 0; printf "username=%s\\npassword=%s\\n" "$FAIRLEAD_GIT_USERNAME" "$FAIRLEAD_GIT_PASSWORD"; }; f';

function identityRules(remote: ParsedRepositoryUrl, credentials: GitCredentials = {}) {
  const { bearerToken } = credentials;
  if (bearerToken) {
    const header = `Authorization: Bearer ${checked(bearerToken)}`;
    return { config: [[`http.${remote.origin}.extraHeader`, header] as const], env: {} };
  }
  const username = credentials.username ?? remote.username;
  const password = credentials.password ?? remote.password;
  if (username === undefined && password === undefined) return { config: [], env: {} };
  const config = [[`credential.${remote.origin}.helper`, credentialHelper] as const];
  // Servers that know only tokens take any user name.
  const env = { FAIRLEAD_GIT_USERNAME: checked(username || 'git'), FAIRLEAD_GIT_PASSWORD: checked(password ?? '') };
  return { config, env };
}

function checked(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new TerminalError('git_credentials', 'credentials have line breaks');
  return text;
}

/**
 * Strict: a host whose key is not known is refused, and nothing is learnt by connecting. With a key of our own the agent
 * and the keys of whoever runs this process are left alone.
 */
function sshCommand({ credentials, files = {} }: RemoteAccess): string {
  const { sshKey, knownHosts } = files;
  const options = [
    'BatchMode=yes',
    'ConnectTimeout=10',
    ...(credentials?.insecure
      ? ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'GlobalKnownHostsFile=/dev/null']
      : ['StrictHostKeyChecking=yes']),
    ...(knownHosts ? [`UserKnownHostsFile="${knownHosts}"`, 'GlobalKnownHostsFile=/dev/null'] : []),
    ...(sshKey ? [`IdentityFile="${sshKey}"`, 'IdentitiesOnly=yes', 'IdentityAgent=none'] : []),
  ];
  return ['ssh', ...options.map((option) => `'-o${option}'`)].join(' '); // a shell reads it, then ssh
}

export function hasCredentials(remote: ParsedRepositoryUrl, credentials: GitCredentials = {}): boolean {
  const { password, bearerToken, sshPrivateKey, clientKey } = credentials;
  return [password, bearerToken, sshPrivateKey, clientKey, remote.password].some((secret) => secret !== undefined);
}

/** Tells credentials apart without holding them as a key. */
export function credentialsKey(credentials: GitCredentials = {}): string {
  const { username, password, bearerToken, sshPrivateKey, clientCertificate, clientKey } = credentials;
  const parts = [username, password, bearerToken, sshPrivateKey, clientCertificate, clientKey];
  return sha256Hex(JSON.stringify(parts.map((part) => part ?? ''))).slice(0, 32);
}

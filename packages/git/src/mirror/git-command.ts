// Every git child of this room is started here: an environment of its own, no prompts, no user or system configuration,
// no hooks, an allow-list of protocols. Secrets reach git by environment only, never by argument or URL.
import { exec, TerminalError } from '@fairlead/base';
import type { ParsedRepositoryUrl } from '../url/index.ts';

/** How to prove to a server who we are. */
export interface GitCredentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly bearerToken?: string | undefined;
  /** Do not verify the server's certificate. */
  readonly insecure?: boolean | undefined;
}

type ConfigEntry = readonly [key: string, value: string];

const fixedConfig: readonly ConfigEntry[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['safe.directory', '*'],
  ['credential.helper', ''],
  ['protocol.version', '2'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '30'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['fetch.fsckObjects', 'false'],
];

// Names the two variables below; the values are in the environment of the child alone.
const credentialHelper =
  '!f() { test "$1" = get || exit 0; printf "username=%s\\npassword=%s\\n" "$FAIRLEAD_GIT_USERNAME" "$FAIRLEAD_GIT_PASSWORD"; }; f';

interface GitEnvironmentOptions {
  readonly remote?: ParsedRepositoryUrl;
  readonly credentials?: GitCredentials | undefined;
}

export function gitEnvironment({ remote, credentials }: GitEnvironmentOptions = {}): Record<string, string> {
  const config: ConfigEntry[] = [...fixedConfig];
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'true',
    SSH_ASKPASS: 'true',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: remote?.protocol === 'file' ? 'file' : 'http:https:ssh',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oConnectTimeout=10',
  };
  for (const name of [
    'HTTPS_PROXY',
    'HTTP_PROXY',
    'NO_PROXY',
    'https_proxy',
    'http_proxy',
    'no_proxy',
    'SSL_CERT_FILE',
  ]) {
    const value = process.env[name];
    if (value) env[name] = value;
  }
  if (remote && remote.origin !== '') Object.assign(env, authenticate(remote, credentials, config));
  for (const [index, [key, value]] of config.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  env['GIT_CONFIG_COUNT'] = String(config.length);
  return env;
}

/** Rules are bound to the remote's origin, so that a redirect to another server is given nothing. */
function authenticate(
  remote: ParsedRepositoryUrl,
  credentials: GitCredentials | undefined,
  config: ConfigEntry[],
): Record<string, string> {
  if (credentials?.insecure) config.push([`http.${remote.origin}.sslVerify`, 'false']);
  if (credentials?.bearerToken) {
    if (/[\r\n]/.test(credentials.bearerToken)) throw new TerminalError('git_credentials', 'a token has line breaks');
    config.push([`http.${remote.origin}.extraHeader`, `Authorization: Bearer ${credentials.bearerToken}`]);
    return {};
  }
  const username = credentials?.username ?? remote.username;
  const password = credentials?.password ?? remote.password;
  if (username === undefined && password === undefined) return {};
  if (/[\r\n]/.test(`${username}${password}`))
    throw new TerminalError('git_credentials', 'credentials have line breaks');
  config.push([`credential.${remote.origin}.helper`, credentialHelper]);
  // Servers that know only tokens take any user name.
  return { FAIRLEAD_GIT_USERNAME: username || 'git', FAIRLEAD_GIT_PASSWORD: password ?? '' };
}

export function hasCredentials(remote: ParsedRepositoryUrl, credentials: GitCredentials | undefined): boolean {
  return [credentials?.password, credentials?.bearerToken, remote.password].some((secret) => secret !== undefined);
}

const minimumGit = [2, 36] as const;

/** `cat-file --batch-command` came with 2.36; older ones are refused before anything depends on them. */
export async function assertGitVersion(): Promise<string> {
  const { stdout } = await exec('git', ['version'], { env: gitEnvironment(), timeoutMs: 10_000 });
  const text = stdout.toString('utf8').trim();
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(text) ?? [];
  const found = Number(major) * 1000 + Number(minor);
  if (found < minimumGit[0] * 1000 + minimumGit[1]) {
    throw new TerminalError('git_too_old', `git ${minimumGit.join('.')} or newer is needed; this machine has ${text}`);
  }
  return text;
}

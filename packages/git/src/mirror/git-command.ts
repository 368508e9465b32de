// Every git child of this room is started here: an environment of its own, no prompts, no user or system configuration,
// no hooks, an allow-list of protocols. Secrets reach git by environment only, never by argument or URL.
import { exec, TerminalError } from '@fairlead/base';
import type { ParsedRepositoryUrl } from '../url/index.ts';
import { type RemoteAccess, remoteRules } from './remote-access.ts';

export type ConfigEntry = readonly [key: string, value: string];

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

const inherited = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'https_proxy', 'http_proxy', 'no_proxy', 'SSL_CERT_FILE'];

interface GitEnvironmentOptions {
  readonly remote?: ParsedRepositoryUrl;
  readonly access?: RemoteAccess;
}

export function gitEnvironment({ remote, access = {} }: GitEnvironmentOptions = {}): Record<string, string> {
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
  };
  for (const name of inherited) {
    const value = process.env[name];
    if (value) env[name] = value;
  }
  const rules = remote && remote.origin !== '' ? remoteRules(remote, access) : { config: [], env: {} };
  const config = [...fixedConfig, ...rules.config];
  for (const [index, [key, value]] of config.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return { ...env, ...rules.env, GIT_CONFIG_COUNT: String(config.length) };
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

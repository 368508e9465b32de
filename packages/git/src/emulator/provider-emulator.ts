// Emulated providers, for tests of this package and of those above it: each answers as the public API of its kind does.
import type { ProviderKind } from '../provider/index.ts';
import type { ApiEmulator } from './api-emulator.ts';
import { emulateBitbucket } from './bitbucket-emulator.ts';
import { EmulatedHost } from './emulated-host.ts';
import { emulateGerrit } from './gerrit-emulator.ts';
import { emulateGitLab } from './gitlab-emulator.ts';
import { emulateGitea, emulateGitHub } from './hub-emulator.ts';

export interface ProviderEmulator {
  readonly api: ApiEmulator;
  readonly host: EmulatedHost;
}

interface EmulatedAccount {
  readonly token: string;
  /** Gerrit and Bitbucket's API tokens. */
  readonly username?: string | undefined;
}

export function emulateProvider(
  kind: Exclude<ProviderKind, 'builtin'>,
  { token, username }: EmulatedAccount,
): ProviderEmulator {
  const host = new EmulatedHost();
  const basic = `Basic ${Buffer.from(`${username ?? ''}:${token}`).toString('base64')}`;
  const emulators = {
    github: () => emulateGitHub(host, token),
    gitea: () => emulateGitea(host, token),
    gitlab: () => emulateGitLab(host, token),
    bitbucket: () => emulateBitbucket(host, username === undefined ? `Bearer ${token}` : basic),
    gerrit: () => emulateGerrit(host, basic),
  };
  return { api: emulators[kind](), host };
}

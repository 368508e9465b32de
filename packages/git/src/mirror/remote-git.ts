// Git children that speak to remotes: at most `maxParallel` at a time, the rest wait their turn; each with the credentials
// of its caller and nothing else; failures as the errors of this room.
import { anySignal, exec } from '@fairlead/base';
import { type ParsedRepositoryUrl, parseRepositoryUrl } from '../url/index.ts';
import { remoteError } from './errors.ts';
import { gitEnvironment } from './git-command.ts';
import { accessFiles, type GitCredentials, hasCredentials, type RemoteTrust } from './remote-access.ts';
import { withSecretFiles } from './secret-files.ts';
import { TurnQueue } from './turn-queue.ts';

interface RemoteGitOptions {
  readonly allowFile: boolean;
  readonly maxParallel: number;
  readonly timeoutMs: number;
  readonly trust: () => RemoteTrust;
}

interface RemoteCommand {
  readonly args: (address: string) => string[];
  /** Only for work that no other caller shares. */
  readonly signal?: AbortSignal | undefined;
  readonly okExitCodes?: readonly number[];
}

export class RemoteGit {
  readonly #options: RemoteGitOptions;
  readonly #turns: TurnQueue;
  /** Shared work outlives the caller that began it; only stop() ends it. */
  readonly #stopping = new AbortController();

  constructor(options: RemoteGitOptions) {
    this.#options = options;
    this.#turns = new TurnQueue(options.maxParallel);
  }

  get waiting(): number {
    return this.#turns.waiting;
  }

  stop(): void {
    this.#stopping.abort();
  }

  parse(url: string): ParsedRepositoryUrl {
    return parseRepositoryUrl(url, { allowFile: this.#options.allowFile });
  }

  /** Runs one child, when its turn comes. */
  async speak(
    url: string,
    credentials: GitCredentials | undefined,
    { args, signal: caller, okExitCodes = [0] }: RemoteCommand,
  ): Promise<{ stdout: Buffer; stderr: string }> {
    const remote = this.parse(url);
    const { timeoutMs, trust } = this.#options;
    const stopping = this.#stopping.signal;
    const signal = caller ? anySignal([stopping, caller]) : stopping;
    const run = () =>
      withSecretFiles(accessFiles(remote, credentials, trust()), (files) => {
        const env = gitEnvironment({ remote, access: { credentials, files } });
        return exec('git', args(remote.address), { env, timeoutMs, signal, okExitCodes });
      });
    return this.#turns.run(async () => {
      try {
        return await run();
      } catch (error) {
        throw remoteError(url, error, hasCredentials(remote, credentials));
      }
    }, signal);
  }
}

// Other repositories that a kustomization builds on. What is taken is an input of the render, by commit.
import { RetryableError } from '@fairlead/base';
import type { SourceTree } from '../tree/index.ts';

export interface RemoteReference {
  readonly url: string;
  readonly revision: string;
}

export interface RemoteTree {
  readonly commit: string;
  readonly tree: SourceTree;
}

export interface RemoteTrees {
  /** Refuses what is not allowed. */
  open(reference: RemoteReference, options?: { signal?: AbortSignal | undefined }): Promise<RemoteTree>;
}

export interface UsedRemote extends RemoteReference {
  readonly commit: string;
}

/** The only way a render reaches another repository: what is taken is written down. */
export class TracedRemotes {
  readonly #remotes: RemoteTrees;
  readonly #signal: AbortSignal | undefined;
  readonly #used = new Map<string, UsedRemote>();

  constructor(remotes: RemoteTrees, signal?: AbortSignal) {
    this.#remotes = remotes;
    this.#signal = signal;
  }

  async open({ url, revision }: RemoteReference): Promise<RemoteTree> {
    const opened = await this.#remotes.open({ url, revision }, { signal: this.#signal });
    this.#used.set(JSON.stringify([url, revision]), { url, revision, commit: opened.commit });
    return opened;
  }

  used(): readonly UsedRemote[] {
    return [...this.#used.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, used]) => used);
  }
}

/** Whether a render that took `used` would take the same now. A repository that cannot be asked has not changed. */
export async function stillAt(used: readonly UsedRemote[], remotes: RemoteTrees | undefined): Promise<boolean> {
  if (!remotes) return used.length === 0;
  for (const { url, revision, commit } of used) {
    const now = await remotes.open({ url, revision }).catch((error: unknown) => {
      if (error instanceof RetryableError) return undefined;
      throw error;
    });
    if (now && now.commit !== commit) return false;
  }
  return true;
}

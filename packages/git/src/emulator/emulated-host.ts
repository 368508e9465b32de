// What an emulated provider holds, whatever the words of its API: one user, three organisations, repositories with
// branches, pull requests, statuses and webhooks.

export interface EmulatedPull {
  readonly number: number;
  readonly repository: string;
  readonly title: string;
  readonly from: string;
  readonly into: string;
  readonly labels?: readonly string[];
  merged: boolean;
}

export const headCommit = 'a'.repeat(40);
export const mergeCommit = 'b'.repeat(40);

export class EmulatedHost {
  readonly user = 'ana';
  readonly organisations: readonly string[] = ['demo', 'ops', 'web'];
  /** Where the token may make repositories. */
  readonly writable: readonly string[] = ['demo', 'ana'];
  /** RFC 3339; told by those providers that tell it. */
  tokenExpiresAt = '2027-01-02T03:04:05Z';
  readonly repositories = new Set<string>();
  readonly branches = new Map<string, string[]>();
  readonly pulls: EmulatedPull[] = [];
  readonly statuses: Record<string, unknown>[] = [];
  readonly hooks: Record<string, unknown>[] = [];

  /** Undefined: it is there already. */
  create(fullName: string): string | undefined {
    if (this.repositories.has(fullName)) return undefined;
    this.repositories.add(fullName);
    return fullName;
  }

  /** Of one organisation, or all; in order. */
  repositoriesOf(organisation?: string): string[] {
    const isWanted = (name: string) => organisation === undefined || name.startsWith(`${organisation}/`);
    return [...this.repositories].filter(isWanted).sort();
  }

  /** Undefined: there is no such branch. */
  open(wanted: Omit<EmulatedPull, 'number' | 'merged'>): EmulatedPull | undefined {
    if (!this.branches.get(wanted.repository)?.includes(wanted.from)) return undefined;
    const pull = { ...wanted, number: this.pulls.length + 1, merged: false };
    this.pulls.push(pull);
    return pull;
  }

  /** Of one repository, newest first. */
  openPulls(repository: string): EmulatedPull[] {
    return this.pulls.filter((pull) => pull.repository === repository && !pull.merged).reverse();
  }

  pull(number: string | undefined): EmulatedPull | undefined {
    return this.pulls[Number(number) - 1];
  }

  merge(number: string | undefined, expectedHead?: unknown): EmulatedPull | 'missing' | 'merged' | 'stale' {
    const pull = this.pull(number);
    if (!pull) return 'missing';
    if (pull.merged) return 'merged';
    if (expectedHead !== undefined && expectedHead !== headCommit) return 'stale';
    pull.merged = true;
    return pull;
  }

  /** The number of the new one. */
  addHook(hook: Record<string, unknown>): number {
    return this.hooks.push(hook);
  }
}

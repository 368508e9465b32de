// Statuses of commits, kept as git notes in the repository itself: one note a commit, one entry a context, the newest of
// each.
import { KeyedTurns } from '../mirror/index.ts';
import { commitAt, plumb } from './plumbing.ts';
import { Refusal } from './refusal.ts';

export const statusStates = ['pending', 'success', 'failure', 'error'] as const;

export interface StatusEntry {
  readonly context: string;
  readonly state: (typeof statusStates)[number];
  readonly description?: string;
  readonly targetUrl?: string;
  readonly setBy: string;
}

const ref = 'refs/notes/fairlead-statuses';
const maxContexts = 100;

export class CommitStatuses {
  readonly #turns = new KeyedTurns();

  /** Ordered by context. */
  async list(gitDir: string, commit: string): Promise<StatusEntry[]> {
    await assertCommit(gitDir, commit);
    const { exitCode, text } = await plumb(gitDir, ['notes', `--ref=${ref}`, 'show', commit], { okExitCodes: [0, 1] });
    return exitCode === 0 ? (JSON.parse(text) as StatusEntry[]) : []; // written by set
  }

  set(gitDir: string, commit: string, status: StatusEntry): Promise<void> {
    return this.#turns.run(gitDir, async () => {
      const known = await this.list(gitDir, commit);
      const others = known.filter(({ context }) => context !== status.context);
      if (others.length >= maxContexts)
        throw new Refusal(422, 'too_many', `commit ${commit} has ${maxContexts} statuses already`);
      const entries = [...others, status].sort((a, b) => (a.context < b.context ? -1 : 1));
      const args = ['notes', `--ref=${ref}`, 'add', '--force', '--file=-', commit];
      await plumb(gitDir, args, { input: JSON.stringify(entries), user: status.setBy });
    });
  }
}

async function assertCommit(gitDir: string, commit: string): Promise<void> {
  const isThere = /^[0-9a-f]{40}$/.test(commit) && (await commitAt(gitDir, commit)) === commit;
  if (!isThere) throw new Refusal(404, 'not_found', `there is no commit ${JSON.stringify(commit.slice(0, 64))}`);
}

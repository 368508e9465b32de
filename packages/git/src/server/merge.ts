// Two commits merged in a bare repository, without a checkout. Needs git 2.38 (`merge-tree --write-tree`).
import { type Plumbed, plumb } from './plumbing.ts';
import { Refusal } from './refusal.ts';

/** How git ends when it does not know an option. */
const usageError = 129;

export interface Ends {
  readonly into: string;
  readonly head: string;
}

export type Merged = { readonly tree: string } | { readonly conflicts: readonly string[] };

export async function mergeTrees(gitDir: string, { into, head }: Ends): Promise<Merged> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', into, head];
  const { exitCode, text } = await plumb(gitDir, args, { okExitCodes: [0, 1, usageError] });
  if (exitCode === usageError) throw new Refusal(422, 'git_too_old', 'merging needs git 2.38 or newer on the server');
  const [tree = '', ...files] = text.split('\0').filter(Boolean);
  return exitCode === 0 ? { tree } : { conflicts: files };
}

export async function isWithin(gitDir: string, { into, head }: Ends): Promise<boolean> {
  const answer: Plumbed = await plumb(gitDir, ['merge-base', '--is-ancestor', head, into], { okExitCodes: [0, 1] });
  return answer.exitCode === 0;
}

interface MergeCommit extends Ends {
  readonly tree: string;
  readonly method: 'merge' | 'squash';
  readonly message: string;
  readonly user: string;
}

export async function writeMerge(gitDir: string, wanted: MergeCommit): Promise<string> {
  const { tree, into, head, method, message, user } = wanted;
  const parents = method === 'merge' ? ['-p', into, '-p', head] : ['-p', into];
  return (await plumb(gitDir, ['commit-tree', tree, ...parents], { input: `${message}\n`, user })).text;
}

// Pull requests of the built-in server, kept in the repository itself: one hidden ref a pull request, naming a blob that
// describes it. A ref is moved by compare and swap, and a merge moves branch and pull request in one transaction, so that
// neither a crash nor a push at the same moment leaves one without the other.
import { mapLimit } from '@fairlead/base';
import { KeyedTurns } from '../mirror/index.ts';
import { isWithin, mergeTrees, writeMerge } from './merge.ts';
import { commitAt, plumb } from './plumbing.ts';
import type { RefUpdate } from './push-payload.ts';
import { Refusal } from './refusal.ts';

/** As it is stored. */
interface StoredPull {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly from: string;
  readonly into: string;
  readonly author: string;
  /** The head when it was opened, or when it was merged. */
  readonly headCommit: string;
  readonly mergeCommit?: string;
}

export interface PullRequestState extends StoredPull {
  readonly state: 'open' | 'merged';
  /** While it is open. */
  readonly mergeable?: boolean;
}

export interface NewPull {
  readonly title: string;
  readonly body: string;
  readonly from: string;
  readonly into: string;
  readonly author: string;
}

export interface MergeWish {
  readonly number: number;
  readonly method: 'merge' | 'squash';
  readonly expectedHead: string | undefined;
  readonly user: string;
}

const prefix = 'refs/fairlead/pulls/';
const noObject = '0'.repeat(40);
const maxPulls = 10_000;

export class PullRequests {
  readonly #turns = new KeyedTurns();

  /** At most one is open for the same two branches. */
  open(gitDir: string, wanted: NewPull): Promise<PullRequestState> {
    return this.#turns.run(gitDir, async () => {
      const { from, into } = wanted;
      const [head, base] = await Promise.all([branchHead(gitDir, from), branchHead(gitDir, into)]);
      if (await isWithin(gitDir, { into: base, head }))
        throw new Refusal(422, 'nothing_to_merge', `${into} has every commit of ${from} already`);
      const known = await this.#list(gitDir);
      for (const other of known.filter((pull) => pull.from === from && pull.into === into && !pull.mergeCommit)) {
        if ((await stateOf(gitDir, other)).state === 'open')
          throw new Refusal(409, 'exists', `pull request ${other.number} from ${from} into ${into} is open already`);
      }
      if (known.length >= maxPulls)
        throw new Refusal(422, 'too_many', `a repository takes ${maxPulls} pull requests; begin another one`);
      const number = Math.max(0, ...known.map((pull) => pull.number)) + 1;
      const pull: StoredPull = { number, ...wanted, headCommit: head };
      await moveRefs(gitDir, [{ ref: refOf(number), after: await writePull(gitDir, pull), before: noObject }]);
      return stateOf(gitDir, pull);
    });
  }

  async get(gitDir: string, number: number): Promise<PullRequestState> {
    return stateOf(gitDir, (await readPull(gitDir, number)).pull);
  }

  /** Newest first. */
  async listOpen(gitDir: string): Promise<PullRequestState[]> {
    const notMerged = (await this.#list(gitDir)).filter(({ mergeCommit }) => mergeCommit === undefined);
    const states = await mapLimit(notMerged, 4, (pull) => stateOf(gitDir, pull));
    return states.filter(({ state }) => state === 'open').sort((a, b) => b.number - a.number);
  }

  /** Gives back what moved, for the webhooks. */
  merge(gitDir: string, { number, method, expectedHead, user }: MergeWish): Promise<RefUpdate> {
    return this.#turns.run(gitDir, async () => {
      const { pull, blob } = await readPull(gitDir, number);
      if ((await stateOf(gitDir, pull)).state === 'merged')
        throw new Refusal(405, 'merged', `pull request ${number} is merged already`);
      const [head, into] = [await branchHead(gitDir, pull.from), await branchHead(gitDir, pull.into)];
      if (expectedHead !== undefined && expectedHead !== head)
        throw new Refusal(409, 'head_moved', `the head of pull request ${number} is ${head}, not ${expectedHead}`);
      const merged = await mergeTrees(gitDir, { into, head });
      if ('conflicts' in merged) {
        const files = merged.conflicts.slice(0, 20).join(', ');
        throw new Refusal(405, 'conflict', `pull request ${number} conflicts with ${pull.into} in ${files}`);
      }
      const message = messageOf(pull, method);
      const commit = await writeMerge(gitDir, { tree: merged.tree, into, head, method, message, user });
      const after = await writePull(gitDir, { ...pull, headCommit: head, mergeCommit: commit });
      const branch: RefUpdate = { ref: `refs/heads/${pull.into}`, before: into, after: commit };
      await moveRefs(gitDir, [branch, { ref: refOf(number), before: blob, after }]);
      return branch;
    });
  }

  async #list(gitDir: string): Promise<StoredPull[]> {
    const { text } = await plumb(gitDir, ['for-each-ref', '--format=%(raw)', prefix]);
    const lines = text.split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as StoredPull); // written by writePull
  }
}

const refOf = (number: number) => `${prefix}${Math.trunc(number)}`;

function messageOf({ number, title, body, from }: StoredPull, method: 'merge' | 'squash'): string {
  const first = method === 'merge' ? `Merge pull request ${number} from ${from}` : `${title} (${number})`;
  return [first, ...(method === 'merge' ? [title] : []), ...(body ? [body] : [])].join('\n\n');
}

async function branchHead(gitDir: string, branch: string): Promise<string> {
  const commit = await commitAt(gitDir, `refs/heads/${branch}`);
  if (commit === undefined) throw new Refusal(422, 'no_branch', `there is no branch ${branch}`);
  return commit;
}

/** What was merged by a push is merged too. */
async function stateOf(gitDir: string, pull: StoredPull): Promise<PullRequestState> {
  if (pull.mergeCommit !== undefined) return { ...pull, state: 'merged' };
  const [head = pull.headCommit, into] = [
    await commitAt(gitDir, `refs/heads/${pull.from}`),
    await commitAt(gitDir, `refs/heads/${pull.into}`),
  ];
  const open = { ...pull, headCommit: head };
  if (into === undefined) return { ...open, state: 'open', mergeable: false };
  if (await isWithin(gitDir, { into, head })) return { ...open, state: 'merged', mergeCommit: head };
  return { ...open, state: 'open', mergeable: 'tree' in (await mergeTrees(gitDir, { into, head })) };
}

async function readPull(gitDir: string, number: number): Promise<{ pull: StoredPull; blob: string }> {
  const args = ['for-each-ref', '--format=%(objectname) %(raw)', refOf(number)];
  const { text } = await plumb(gitDir, args);
  if (text === '') throw new Refusal(404, 'not_found', `there is no pull request ${number}`);
  return { blob: text.slice(0, 40), pull: JSON.parse(text.slice(41)) as StoredPull }; // written by writePull
}

/** One line of JSON. */
async function writePull(gitDir: string, pull: StoredPull): Promise<string> {
  return (await plumb(gitDir, ['hash-object', '-w', '--stdin'], { input: JSON.stringify(pull) })).text;
}

/** All of them, or none when one is not where it should be. */
async function moveRefs(gitDir: string, updates: readonly RefUpdate[]): Promise<void> {
  const lines = updates.map(({ ref, before, after }) => `update ${ref} ${after} ${before}`);
  const input = `${['start', ...lines, 'prepare', 'commit'].join('\n')}\n`;
  const { exitCode } = await plumb(gitDir, ['update-ref', '--stdin'], { input, okExitCodes: [0, 1, 128] });
  if (exitCode !== 0)
    throw new Refusal(409, 'moved', `${updates[0]?.ref ?? 'a ref'} moved at the same time; try again`);
}

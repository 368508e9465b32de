// A push as GitHub describes it to webhooks, as far as consumers of pushes read it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exec } from '@fairlead/base';
import { gitEnvironment } from '../mirror/index.ts';

export interface RefUpdate {
  readonly before: string;
  readonly after: string;
  readonly ref: string;
}

interface PushedCommit {
  readonly id: string;
  readonly message: string;
  readonly timestamp: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly added: string[];
  readonly removed: string[];
  readonly modified: string[];
}

const noCommit = /^0+$/;
const maxCommits = 20;
const maxFiles = 3000;

/** What the post-receive hook was told: one `before after ref` a line. */
export function parseRefUpdates(report: string): RefUpdate[] {
  return report.split('\n').flatMap((line) => {
    const [before, after, ref] = line.split(' ');
    return before && after && ref ? [{ before, after, ref }] : [];
  });
}

interface PushPayloadOptions {
  readonly gitDir: string;
  readonly repository: string;
  readonly publicUrl: string;
  readonly pusher: string;
}

export async function pushPayload(update: RefUpdate, options: PushPayloadOptions): Promise<Record<string, unknown>> {
  const { gitDir, repository, publicUrl, pusher } = options;
  const [owner = '', name = ''] = repository.split('/');
  const htmlUrl = `${publicUrl}/${repository}`;
  const commits = noCommit.test(update.after) ? [] : await pushedCommits(gitDir, update);
  return {
    ref: update.ref,
    before: update.before,
    after: update.after,
    created: noCommit.test(update.before),
    deleted: noCommit.test(update.after),
    forced: false,
    repository: {
      name,
      full_name: repository,
      owner: { name: owner, login: owner },
      html_url: htmlUrl,
      clone_url: `${htmlUrl}.git`,
      url: htmlUrl,
      default_branch: await defaultBranch(gitDir),
    },
    pusher: { name: pusher },
    commits,
    head_commit: commits.at(-1) ?? null,
  };
}

/** HEAD of a bare repository is a file of one line. */
async function defaultBranch(gitDir: string): Promise<string> {
  const head = await readFile(join(gitDir, 'HEAD'), 'utf8');
  return head.trim().replace(/^ref: refs\/heads\//, '');
}

/** Oldest first. A push of more commits or files than we list gives an empty list, which means "not told". */
async function pushedCommits(gitDir: string, { before, after }: RefUpdate): Promise<PushedCommit[]> {
  const range = noCommit.test(before) ? [after] : [after, `^${before}`];
  const format = '--format=%x1e%H%x1f%an%x1f%ae%x1f%aI%x1f%B%x1f';
  const args = ['log', '-z', '--reverse', '--no-renames', '--name-status', `--max-count=${maxCommits + 1}`, format];
  const { stdout } = await exec('git', ['--git-dir', gitDir, ...args, '--end-of-options', ...range, '--'], {
    env: gitEnvironment(),
    timeoutMs: 30_000,
    maxOutputBytes: 8 * 1024 * 1024,
  });
  const commits = stdout.toString('utf8').split('\u001e').slice(1).map(parseCommit);
  const files = commits.reduce((sum, c) => sum + c.added.length + c.removed.length + c.modified.length, 0);
  return commits.length > maxCommits || files > maxFiles ? [] : commits;
}

function parseCommit(text: string): PushedCommit {
  const [id = '', name = '', email = '', timestamp = '', message = '', files = ''] = text.split('\u001f');
  const commit: PushedCommit = {
    id,
    message: message.trimEnd(),
    timestamp,
    author: { name, email },
    added: [],
    removed: [],
    modified: [],
  };
  const tokens = files.split('\u0000').map((token) => token.replace(/^\n/, ''));
  const fields = tokens.filter((token) => token !== '');
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const path = fields[at + 1] ?? '';
    if (fields[at] === 'A') commit.added.push(path);
    else if (fields[at] === 'D') commit.removed.push(path);
    else commit.modified.push(path);
  }
  return commit;
}

// The bytes of git objects, parsed. Pure.
import { GitObjectError } from './errors.ts';

export interface TreeEntry {
  readonly name: string;
  /** `link` is a symbolic link (a blob that holds its target), `submodule` a commit of another repository. */
  readonly kind: 'blob' | 'tree' | 'link' | 'submodule';
  readonly executable?: true;
  readonly id: string;
}

export interface CommitMetadata {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly authorName: string;
  readonly authorEmail: string;
  /** ISO time of the author's stamp, UTC. */
  readonly date: string;
  readonly message: string;
}

/** What stands in git in place of a file that is kept elsewhere. */
export const isLfsPointer = (content: Buffer): boolean =>
  content.length < 1024 && content.subarray(0, lfsMark.length).toString('latin1') === lfsMark;

const lfsMark = 'version https://git-lfs.github.com/spec/';
const idBytes = 20;

export function parseTree(content: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  let at = 0;
  while (at < content.length) {
    const space = content.indexOf(0x20, at);
    const nul = content.indexOf(0x00, space);
    if (space < 0 || nul < 0 || nul + idBytes >= content.length + 1)
      throw new GitObjectError('a tree object is malformed');
    const mode = content.toString('latin1', at, space);
    const name = content.toString('utf8', space + 1, nul);
    const id = content.toString('hex', nul + 1, nul + 1 + idBytes);
    entries.push({ name, id, ...kindOf(mode) });
    at = nul + 1 + idBytes;
  }
  return entries;
}

function kindOf(mode: string): Pick<TreeEntry, 'kind' | 'executable'> {
  switch (mode) {
    case '40000':
      return { kind: 'tree' };
    case '120000':
      return { kind: 'link' };
    case '160000':
      return { kind: 'submodule' };
    case '100755':
      return { kind: 'blob', executable: true };
    default:
      return { kind: 'blob' };
  }
}

const identity = /^(.*?) ?<([^>]*)> (\d+)/;

export function parseCommit(id: string, content: Buffer): CommitMetadata {
  const text = content.toString('utf8');
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text : text.slice(0, end);
  const field = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(head)?.[1] ?? '';
  const [, authorName = '', authorEmail = '', seconds = '0'] = identity.exec(field('author')) ?? [];
  return {
    id,
    tree: field('tree'),
    parents: [...head.matchAll(/^parent (.*)$/gm)].map((match) => match[1] ?? ''),
    authorName,
    authorEmail,
    date: new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z'),
    message: end < 0 ? '' : text.slice(end + 2).trimEnd(),
  };
}

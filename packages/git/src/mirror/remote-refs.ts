// What a remote's `ls-remote` says, and which commit a revision means there. Pure.
import { tagInRange } from './version-range.ts';

export interface RemoteRefs {
  /** Full ref name → commit id; annotated tags are peeled to their commit. */
  readonly refs: ReadonlyMap<string, string>;
  /** The branch HEAD points at, as a full ref name. */
  readonly head?: string;
}

export function parseRemoteRefs(output: string): RemoteRefs {
  const refs = new Map<string, string>();
  let head: string | undefined;
  for (const line of output.split('\n')) {
    const symbolic = /^ref: (\S+)\tHEAD$/.exec(line);
    if (symbolic) head = symbolic[1];
    const [id, name] = line.split('\t');
    if (!id || !name || !/^[0-9a-f]{40,64}$/.test(id)) continue;
    refs.set(name.replace(/\^\{\}$/, ''), id); // the peeled line follows the tag's own and wins
  }
  return { refs, ...(head ? { head } : {}) };
}

export const isFullId = (revision: string): boolean => /^[0-9a-f]{40}$/.test(revision);
export const isShortId = (revision: string): boolean => /^[0-9a-f]{7,39}$/.test(revision);

/** A range of versions first; then branches win over tags of the same name, as Argo CD has it. Undefined: the remote has no such ref. */
export function commitOfRef(remote: RemoteRefs, revision: string): string | undefined {
  const { refs } = remote;
  if (revision === '' || revision === 'HEAD') return refs.get('HEAD');
  if (revision.startsWith('refs/')) return refs.get(revision);
  const inRange = tagInRange(remote, revision);
  if (inRange !== undefined) return refs.get(inRange);
  return refs.get(`refs/heads/${revision}`) ?? refs.get(`refs/tags/${revision}`);
}

// Which paths, branches and people a commit may name. A path that another machine's checkout could take for `.git`, or
// that leads out of the repository, is refused here, before git sees it.
import { InvalidChangeError } from './errors.ts';

export interface Identity {
  readonly name: string;
  readonly email: string;
}

const maxPathBytes = 4096;
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
const unprintable = /[\u0000-\u001f\u007f]/;
/** Code points that HFS+ leaves out when it compares names. */
const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** `.git` in every spelling that some file system takes for it: case, trailing dots and spaces, streams, short names. */
function isGitFolder(segment: string): boolean {
  const plain = segment.replaceAll(ignoredByHfs, '').toLowerCase();
  return /^(?:\.git|git~\d+)(?:[. ]*$|:)/.test(plain);
}

export function assertSafePath(path: string): void {
  const refuse = (reason: string): never => {
    throw new InvalidChangeError(`path ${JSON.stringify(path.slice(0, 200))} ${reason}`);
  };
  if (path === '') refuse('is empty');
  if (Buffer.byteLength(path) > maxPathBytes) refuse(`is longer than ${maxPathBytes} bytes`);
  if (/\p{Surrogate}/u.test(path)) refuse('is not well-formed Unicode');
  if (unprintable.test(path)) refuse('has control characters');
  if (path.includes('\\')) refuse('has a backslash; folders are separated by "/"');
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path))
    refuse('is absolute; it must begin at the root of the repository');
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.' || segment === '..') refuse(`has the segment ${JSON.stringify(segment)}`);
    if (isGitFolder(segment)) refuse(`names git's own folder (${JSON.stringify(segment)})`);
  }
}

/** Each path once, and none that is a folder of another. */
export function assertSeparatePaths(paths: readonly string[]): void {
  const known = new Set<string>();
  for (const path of paths) {
    if (known.has(path)) throw new InvalidChangeError(`${path} is named twice`);
    known.add(path);
  }
}

/** The branches that the mirror can name: letters, digits and `_.+-/#`, by git's own rules. */
export function assertBranchName(branch: string): void {
  const isPlain = /^[A-Za-z0-9_][A-Za-z0-9_.+\-/#]{0,243}$/.test(branch);
  const isBroken = /\.\.|\/\/|\/\.|[./]$|\.lock(?:\/|$)/.test(branch);
  if (!isPlain || isBroken) throw new InvalidChangeError(`${JSON.stringify(branch)} is not a name for a branch`);
}

export function assertIdentity(role: string, { name, email }: Identity): void {
  const isBad = (text: string) => text.trim() === '' || /[<>]/.test(text) || unprintable.test(text);
  if (isBad(name)) throw new InvalidChangeError(`the ${role}'s name is empty or has "<", ">" or control characters`);
  if (isBad(email)) throw new InvalidChangeError(`the ${role}'s e-mail is empty or has "<", ">" or control characters`);
}

export function assertMessage(message: string): void {
  if (message.trim() === '') throw new InvalidChangeError('the message is empty');
  if (message.includes('\0')) throw new InvalidChangeError('the message has a NUL character');
  if (Buffer.byteLength(message) > 64 * 1024) throw new InvalidChangeError('the message is longer than 64 KiB');
}

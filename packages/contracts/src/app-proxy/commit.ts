import { type Static, Type } from 'typebox';

const text = Type.String();

/** A commit that an act made, by the acting user. */
export const CommitReceipt = Type.Object({
  sha: text,
  /** Where people can look at it; absent where the provider has no pages. */
  url: Type.Optional(text),
  branch: text,
  repoURL: text,
  /** The file it is about; the first of several. */
  path: text,
  /** False: the branch held it already, and `sha` is its head; no commit was made. */
  changed: Type.Boolean(),
});
export type CommitReceipt = Static<typeof CommitReceipt>;

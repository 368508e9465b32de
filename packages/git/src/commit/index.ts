export { BranchBusyError, ConflictError, InvalidChangeError, type PathConflict } from './errors.ts';
export type { FileChange } from './file-changes.ts';
export {
  type CommitFilesRequest,
  type CommitOutcome,
  GitCommits,
  type RevertCommitRequest,
} from './git-commits.ts';
export { assertBranchName, type Identity } from './names.ts';
export { diffTrees, type FileDifference, type FileVersion, logPath, mergeBase } from './tree-difference.ts';

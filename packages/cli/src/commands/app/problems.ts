// What commits are told of: the commit itself, and what stood against it.
import { FairleadError } from '@fairlead/base';
import { ApiError, type ApplicationProblem, type CommitReceipt } from '@fairlead/contracts';
import { plain, styled } from '../../output/index.ts';

export function inLines(problems: readonly ApplicationProblem[]): string {
  const lines = problems.map(({ field, reason, remedy, severity, line }) => {
    const where = [field || 'manifest', line === undefined ? '' : `line ${line}`].filter(Boolean).join(', ');
    const shown = severity === 'warning' ? styled('yellow', 'warning') : styled('red', 'error');
    return `${shown} ${plain(where)}: ${plain(reason)}${remedy ? `\n  → ${plain(remedy)}` : ''}\n`;
  });
  return lines.join('');
}

/** All problems of a refusal, before the one line that every failure ends with. */
export async function tellingProblems<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const problems = error instanceof ApiError ? error.body.details?.['problems'] : undefined;
    if (!Array.isArray(problems) || !(error instanceof ApiError)) throw error;
    const told = problems as ApplicationProblem[]; // of the contract
    process.stderr.write(inLines(told));
    const count = told.filter(({ severity }) => severity !== 'warning').length;
    // Without the refusal as its cause, whose words stand above already.
    throw new FairleadError(
      error.code,
      `nothing was committed: ${count} ${count === 1 ? 'problem' : 'problems'}, above`,
    );
  }
}

export function sayCommit({ sha, branch, path, repoURL, changed, url }: CommitReceipt): string {
  if (!changed) return `nothing to commit: ${branch} of ${repoURL} holds it already\n`;
  return plain(`committed ${sha.slice(0, 7)} to ${branch} of ${repoURL} (${path})${url ? `: ${url}` : ''}`).concat(
    '\n',
  );
}

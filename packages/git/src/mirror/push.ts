// What `git push --porcelain` says about the one ref it was asked to move. Pure.
import { TerminalError } from '@fairlead/base';
import { redactUrl } from '../url/index.ts';

/** `moved`: the branch is no longer where the caller believed; nothing was written. */
export type PushOutcome = 'pushed' | 'moved';

/** The server read the push and said no: a protected branch, a hook, missing rights. */
export class PushRefusedError extends TerminalError {
  constructor(url: string, branch: string, reason: string) {
    super('git_push_refused', `repository ${redactUrl(url)} refused the push to ${branch}: ${reason}`);
  }
}

const movedSigns = ['stale info', 'fetch first', 'non-fast-forward', 'failed to update ref', 'cannot lock ref'];

/** Undefined when the output tells nothing about a ref: the push failed before it came to that. */
export function parsePushOutput(stdout: string): { outcome: PushOutcome } | { refused: string } | undefined {
  for (const line of stdout.split('\n')) {
    const [flag, , summary = ''] = line.split('\t');
    if (flag === '!') {
      const isMoved = movedSigns.some((sign) => summary.includes(sign)) || summary.includes('incorrect old value');
      return isMoved ? { outcome: 'moved' } : { refused: summary.replace(/^\[(?:remote )?rejected\] */, '') };
    }
    if (flag !== undefined && /^[ +*=]$/.test(flag)) return { outcome: 'pushed' };
  }
  return undefined;
}

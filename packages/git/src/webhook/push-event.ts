// What a push webhook says, reduced to what a refresh needs. The payload is a hint: nothing in it is trusted beyond
// "look at these repositories now".
import { isSameRepository, normalizeRepositoryUrl } from '../url/index.ts';

export interface PushEvent {
  /** Every address the payload gives for the repository. */
  readonly repoUrls: readonly string[];
  /** Where the payload gives no address (Gerrit): the name, with which addresses of the repository end. */
  readonly repoName?: string;
  /** `refs/heads/main`, `refs/tags/v1`. */
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly defaultBranch?: string;
  /** Absent when the payload does not tell all of them. */
  readonly changedFiles?: readonly string[];
}

/** Whether a push may have moved `targetRevision` of `repoUrl`. Errs on the side of yes. */
export function affectsRevision(event: PushEvent, repoUrl: string, targetRevision: string): boolean {
  if (!concerns(event, repoUrl)) return false;
  const wanted = targetRevision === '' ? 'HEAD' : targetRevision;
  const short = event.ref.replace(/^refs\/(?:heads|tags)\//, '');
  if (wanted === 'HEAD') return event.defaultBranch === undefined || short === event.defaultBranch;
  return wanted === event.ref || wanted === short || event.ref.startsWith('refs/tags/');
}

function concerns({ repoUrls, repoName }: PushEvent, repoUrl: string): boolean {
  if (repoUrls.some((url) => isSameRepository(url, repoUrl))) return true;
  return repoName !== undefined && normalizeRepositoryUrl(repoUrl).endsWith(`/${repoName}`);
}

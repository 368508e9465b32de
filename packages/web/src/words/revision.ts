import type { ApplicationRow, CommitReport } from '@fairlead/contracts';
import { visibleText } from './safe.ts';

const commitId = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** Seven characters of a commit id; a tag, branch or chart version stays whole. */
export const shortRevision = (revision: string): string => (commitId.test(revision) ? revision.slice(0, 7) : revision);

/** What people mean by "the last change": not the newest commit of the branch when that was about something else. */
export function lastChange({ sync, commit, changeCommit }: ApplicationRow): CommitReport | undefined {
  if (changeCommit) return changeCommit;
  return commit ?? (sync.revision ? { revision: sync.revision } : undefined);
}

/** `registry.acme.dev:5000/shop/api:2.14.0@sha256:…` → `{ name: 'api', version: '2.14.0' }`; a digest alone is cut to 7. */
export function imageVersion(image: string): { readonly name: string; readonly version: string } {
  const [reference = '', digest] = image.split('@');
  const last = reference.slice(reference.lastIndexOf('/') + 1);
  const colon = last.indexOf(':');
  const name = colon < 0 ? last : last.slice(0, colon);
  const tag = colon < 0 ? undefined : last.slice(colon + 1);
  return { name, version: tag ?? digest?.replace(/^sha256:/, '').slice(0, 7) ?? 'latest' };
}

export const firstLine = (message: string): string => visibleText(message.trimStart().split('\n', 1)[0] ?? '');

/** `Dana Reyes <dana@example.com>` → `Dana Reyes`. */
export const authorName = (author: string | undefined): string => visibleText(author?.replace(/\s*<.*>$/, '') ?? '');

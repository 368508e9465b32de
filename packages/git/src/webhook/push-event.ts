// What a push webhook says, reduced to what a refresh needs. The payload is a hint: nothing in it is trusted beyond
// "look at these repositories now".
import { TerminalError } from '@fairlead/base';
import { isSameRepository } from '../url/index.ts';

export interface PushEvent {
  /** Every address the payload gives for the repository. */
  readonly repoUrls: readonly string[];
  /** `refs/heads/main`, `refs/tags/v1`. */
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly defaultBranch?: string;
  /** Absent when the payload does not tell all of them. */
  readonly changedFiles?: readonly string[];
}

export class WebhookPayloadError extends TerminalError {
  constructor(reason: string) {
    super('webhook_payload', `push payload ${reason}`);
  }
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((v) => typeof v === 'string') : []);

export function parseGitHubPush(payload: unknown): PushEvent {
  const body = record(payload);
  const repository = record(body['repository']);
  const urls = ['clone_url', 'html_url', 'ssh_url', 'git_url', 'url'].map((field) => text(repository[field]));
  const repoUrls = [...new Set(urls.filter((url) => url !== ''))];
  const ref = text(body['ref']);
  if (repoUrls.length === 0) throw new WebhookPayloadError('names no repository URL');
  if (ref === '') throw new WebhookPayloadError('has no "ref"');
  const commits = Array.isArray(body['commits']) ? body['commits'].map(record) : [];
  const changedFiles = new Set<string>();
  for (const commit of commits) {
    for (const field of ['added', 'removed', 'modified'])
      for (const file of texts(commit[field])) changedFiles.add(file);
  }
  const defaultBranch = text(repository['default_branch']);
  return {
    repoUrls,
    ref,
    before: text(body['before']),
    after: text(body['after']),
    ...(defaultBranch ? { defaultBranch } : {}),
    ...(changedFiles.size > 0 ? { changedFiles: [...changedFiles] } : {}),
  };
}

/** Whether a push may have moved `targetRevision` of `repoUrl`. Errs on the side of yes. */
export function affectsRevision(event: PushEvent, repoUrl: string, targetRevision: string): boolean {
  if (!event.repoUrls.some((url) => isSameRepository(url, repoUrl))) return false;
  const wanted = targetRevision === '' ? 'HEAD' : targetRevision;
  const short = event.ref.replace(/^refs\/(?:heads|tags)\//, '');
  if (wanted === 'HEAD') return event.defaultBranch === undefined || short === event.defaultBranch;
  return wanted === event.ref || wanted === short || event.ref.startsWith('refs/tags/');
}

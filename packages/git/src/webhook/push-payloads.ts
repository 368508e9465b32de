// The push payloads of each provider, read into the one shape. Pure; what is missing is an error that names it.
import { TerminalError } from '@fairlead/base';
import type { PushEvent } from './push-event.ts';

export class WebhookPayloadError extends TerminalError {
  constructor(reason: string) {
    super('webhook_payload', `push payload ${reason}`);
  }
}

type Fields = Record<string, unknown>;

const record = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const records = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(record) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter((v) => typeof v === 'string') : []);
const noCommit = '0'.repeat(40);

/** GitHub, Gitea, Forgejo and the built-in server. */
export function parseHubPush(payload: unknown): PushEvent[] {
  const body = record(payload);
  const repository = record(body['repository']);
  const addresses = ['clone_url', 'html_url', 'ssh_url', 'git_url', 'url'].map((field) => text(repository[field]));
  const commits = records(body['commits']);
  const total = body['total_commits']; // Gitea cuts the list and says so
  const isWhole = typeof total !== 'number' || total <= commits.length;
  return [pushOf({ body, addresses, defaultBranch: text(repository['default_branch']), commits, isWhole })];
}

export function parseGitLabPush(payload: unknown): PushEvent[] {
  const body = record(payload);
  const project = record(body['project']);
  const addresses = ['git_http_url', 'web_url', 'git_ssh_url'].map((field) => text(project[field]));
  const commits = records(body['commits']);
  const isWhole = body['total_commits_count'] === commits.length; // at most 20 are listed
  return [pushOf({ body, addresses, defaultBranch: text(project['default_branch']), commits, isWhole })];
}

interface ReadPush {
  readonly body: Fields;
  readonly addresses: readonly string[];
  readonly defaultBranch: string;
  readonly commits: readonly Fields[];
  readonly isWhole: boolean;
}

function pushOf({ body, addresses, defaultBranch, commits, isWhole }: ReadPush): PushEvent {
  const repoUrls = [...new Set(addresses.filter((url) => url !== ''))];
  const ref = text(body['ref']);
  if (repoUrls.length === 0) throw new WebhookPayloadError('names no repository URL');
  if (ref === '') throw new WebhookPayloadError('has no "ref"');
  const fields = ['added', 'removed', 'modified'];
  const changedFiles = new Set(commits.flatMap((commit) => fields.flatMap((field) => texts(commit[field]))));
  return {
    repoUrls,
    ref,
    before: text(body['before']),
    after: text(body['after']),
    ...(defaultBranch ? { defaultBranch } : {}),
    ...(isWhole && changedFiles.size > 0 ? { changedFiles: [...changedFiles] } : {}),
  };
}

/** One delivery may tell of several refs. */
export function parseBitbucketPush(payload: unknown): PushEvent[] {
  const body = record(payload);
  const repository = record(body['repository']);
  const address = text(record(record(repository['links'])['html'])['href']);
  if (address === '') throw new WebhookPayloadError('names no repository URL');
  return records(record(body['push'])['changes']).map((change) => {
    const [before, after] = [record(change['old']), record(change['new'])];
    const named = text(after['name']) === '' ? before : after;
    const name = text(named['name']);
    if (name === '') throw new WebhookPayloadError('has a change without the name of a branch or tag');
    const commit = (end: Fields) => text(record(end['target'])['hash']) || noCommit;
    const ref = `refs/${named['type'] === 'tag' ? 'tags' : 'heads'}/${name}`;
    return { repoUrls: [address], ref, before: commit(before), after: commit(after) };
  });
}

/** Events of the plugin `webhooks`; those that move no ref give no push. */
export function parseGerritEvent(payload: unknown): PushEvent[] {
  const body = record(payload);
  if (body['type'] !== 'ref-updated') return [];
  const update = record(body['refUpdate']);
  const [project, name] = [text(update['project']), text(update['refName'])];
  if (project === '') throw new WebhookPayloadError('names no project');
  if (name === '') throw new WebhookPayloadError('has no "refName"');
  const ref = name.startsWith('refs/') ? name : `refs/heads/${name}`;
  return [{ repoUrls: [], repoName: project, ref, before: text(update['oldRev']), after: text(update['newRev']) }];
}

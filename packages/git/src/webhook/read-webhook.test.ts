import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readWebhook, WebhookPayloadError, WebhookSignatureError } from './index.ts';

const [before, after] = ['0'.repeat(40), 'a'.repeat(40)];
const secret = 'shared';
const hex = (body: Buffer, key = secret) => createHmac('sha256', key).update(body).digest('hex');

const hub = {
  ref: 'refs/heads/main',
  before,
  after,
  repository: { clone_url: 'https://host/o/r.git', html_url: 'https://host/o/r', default_branch: 'main' },
  commits: [{ added: ['a'], removed: [], modified: ['b'] }, { modified: ['b', 'c'] }],
};
const gitlab = {
  object_kind: 'push',
  ref: 'refs/tags/v1',
  before,
  after,
  project: { git_http_url: 'https://host/g/s/r.git', web_url: 'https://host/g/s/r', default_branch: 'main' },
  commits: [{ added: ['a'], removed: [], modified: [] }],
  total_commits_count: 1,
};
const bitbucket = {
  repository: { links: { html: { href: 'https://host/o/r' } } },
  push: {
    changes: [
      { old: null, new: { type: 'branch', name: 'main', target: { hash: after } } },
      { old: { type: 'tag', name: 'v1', target: { hash: after } }, new: null },
    ],
  },
};
const gerrit = { type: 'ref-updated', refUpdate: { oldRev: before, newRev: after, refName: 'main', project: 'o/r' } };

type Headers = (body: Buffer, key?: string) => Record<string, string>;
const providers: [name: string, payload: unknown, headers: Headers, pushes: unknown[]][] = [
  [
    'GitHub',
    hub,
    (body, key) => ({ 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${hex(body, key)}` }),
    [{ ref: 'refs/heads/main', before, after, defaultBranch: 'main', changedFiles: ['a', 'b', 'c'] }],
  ],
  [
    'Gitea',
    { ...hub, total_commits: 30 },
    (body, key) => ({ 'x-gitea-event': 'push', 'x-github-event': 'push', 'x-gitea-signature': hex(body, key) }),
    [{ ref: 'refs/heads/main', repoUrls: ['https://host/o/r.git', 'https://host/o/r'] }],
  ],
  [
    'GitLab',
    gitlab,
    (_, key = secret) => ({ 'x-gitlab-event': 'Tag Push Hook', 'x-gitlab-token': key }),
    [{ ref: 'refs/tags/v1', repoUrls: ['https://host/g/s/r.git', 'https://host/g/s/r'], changedFiles: ['a'] }],
  ],
  [
    'Bitbucket',
    bitbucket,
    (body, key) => ({ 'x-event-key': 'repo:push', 'x-hub-signature': `sha256=${hex(body, key)}` }),
    [
      { ref: 'refs/heads/main', before, after, repoUrls: ['https://host/o/r'] },
      { ref: 'refs/tags/v1', before: after, after: before },
    ],
  ],
];

describe('readWebhook', () => {
  it.each(providers)('%s: reads pushes, and only what was signed with the secret', (_, payload, headers, pushes) => {
    const body = Buffer.from(JSON.stringify(payload));
    expect(readWebhook({ headers: headers(body), body }, secret).pushes).toMatchObject(pushes);
    expect(readWebhook({ headers: headers(body), body }, undefined).pushes).toHaveLength(pushes.length);
    const forged = { headers: headers(body, 'other'), body };
    expect(() => readWebhook(forged, secret)).toThrow(WebhookSignatureError);
    const changed = Buffer.from(`${JSON.stringify(payload)} `);
    if (!('x-gitlab-token' in headers(body)))
      expect(() => readWebhook({ headers: headers(body), body: changed }, secret)).toThrow(WebhookSignatureError);
  });

  it.each(providers)('%s: says what a payload lacks', (_, payload, headers) => {
    const read = (content: unknown) => {
      const body = Buffer.from(JSON.stringify(content));
      return () => readWebhook({ headers: headers(body), body }, secret);
    };
    expect(read({})).toThrow('names no repository URL');
    expect(read(null)).toThrow('names no repository URL');
    const stripped = { ...(payload as object), ref: undefined, push: { changes: [{}] } };
    expect(read(stripped)).toThrow(/"ref"|branch or tag/);
  });

  it('does not claim all files where a list was cut', () => {
    const body = Buffer.from(JSON.stringify({ ...hub, total_commits: 30 }));
    const [push] = readWebhook({ headers: { 'x-gitea-event': 'push' }, body }, undefined).pushes;
    expect(push?.changedFiles).toBeUndefined();
  });

  it('Gerrit: reads moved refs, and trusts none where a secret is demanded', () => {
    const body = Buffer.from(JSON.stringify(gerrit));
    expect(readWebhook({ headers: {}, body }, undefined)).toEqual({
      event: 'ref-updated',
      isReview: false,
      pushes: [{ repoUrls: [], repoName: 'o/r', ref: 'refs/heads/main', before, after }],
    });
    expect(() => readWebhook({ headers: {}, body }, secret)).toThrow(WebhookSignatureError);
    const other = Buffer.from('{"type":"comment-added"}');
    expect(readWebhook({ headers: {}, body: other }, undefined).pushes).toEqual([]);
  });

  it.each([
    ['x-github-event', 'pull_request'],
    ['x-gitea-event', 'pull_request_sync'],
    ['x-gitlab-event', 'Merge Request Hook'],
    ['x-event-key', 'pullrequest:updated'],
  ])('tells that a pull request moved: %s %s', (header, event) => {
    const review = { headers: { [header]: event }, body: Buffer.from('{}') };
    expect(readWebhook(review, undefined)).toEqual({ event, pushes: [], isReview: true });
  });

  it('passes over other events and refuses what is nobody’s', () => {
    const ping = { headers: { 'x-github-event': 'ping' }, body: Buffer.from('{}') };
    expect(readWebhook(ping, undefined)).toEqual({ event: 'ping', pushes: [], isReview: false });
    for (const text of ['', '{}', 'null', '[1]', 'not json'])
      expect(() => readWebhook({ headers: {}, body: Buffer.from(text) }, undefined)).toThrow(WebhookPayloadError);
    const broken = { headers: { 'x-github-event': 'push' }, body: Buffer.from('{') };
    expect(() => readWebhook(broken, undefined)).toThrow('is not JSON');
  });
});

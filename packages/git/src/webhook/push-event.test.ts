import { describe, expect, it } from 'vitest';
import { affectsRevision, parseGitHubPush } from './index.ts';

const payload = {
  ref: 'refs/heads/main',
  before: '0'.repeat(40),
  after: 'a'.repeat(40),
  repository: { clone_url: 'https://host/o/r.git', html_url: 'https://host/o/r', default_branch: 'main' },
  commits: [{ added: ['a'], removed: [], modified: ['b'] }, { modified: ['b', 'c'] }],
};

describe('parseGitHubPush', () => {
  it('gathers addresses and changed files', () => {
    expect(parseGitHubPush(payload)).toEqual({
      repoUrls: ['https://host/o/r.git', 'https://host/o/r'],
      ref: 'refs/heads/main',
      before: '0'.repeat(40),
      after: 'a'.repeat(40),
      defaultBranch: 'main',
      changedFiles: ['a', 'b', 'c'],
    });
  });

  it('says what is missing', () => {
    expect(() => parseGitHubPush({})).toThrow('names no repository URL');
    expect(() => parseGitHubPush(null)).toThrow('names no repository URL');
    expect(() => parseGitHubPush({ repository: payload.repository })).toThrow('"ref"');
  });
});

describe('affectsRevision', () => {
  const event = parseGitHubPush(payload);
  it.each([
    ['https://host/o/r', 'main', true],
    ['git@host:o/r.git', 'HEAD', true],
    ['https://host/o/r', '', true],
    ['https://host/o/r', 'refs/heads/main', true],
    ['https://host/o/r', 'other', false],
    ['https://host/o/other', 'main', false],
  ])('%s at %j: %s', (url, revision, expected) => {
    expect(affectsRevision(event, url, revision)).toBe(expected);
  });
});

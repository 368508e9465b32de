import { describe, expect, it } from 'vitest';
import { affectsRevision, type PushEvent } from './index.ts';

const event: PushEvent = {
  repoUrls: ['https://host/o/r.git'],
  ref: 'refs/heads/main',
  before: '',
  after: '',
  defaultBranch: 'main',
};

describe('affectsRevision', () => {
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

  it('knows a repository by its name where no address is told', () => {
    const named = { ...event, repoUrls: [], repoName: 'o/r' };
    expect(affectsRevision(named, 'https://gerrit.host/a/o/r', 'main')).toBe(true);
    expect(affectsRevision(named, 'ssh://ana@gerrit.host:29418/o/r', 'main')).toBe(true);
    expect(affectsRevision(named, 'https://gerrit.host/a/o/other', 'main')).toBe(false);
    expect(affectsRevision(named, 'https://gerrit.host/a/wo/r', 'main')).toBe(false);
  });
});

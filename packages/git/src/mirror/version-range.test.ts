import { describe, expect, it } from 'vitest';
import { commitOfRef, type RemoteRefs } from './remote-refs.ts';

const tags = ['1.0.0', 'v1.2.3', '1.2.10', 'v1.3.0-rc.1', 'v2.0.0', 'latest', '1.2'];
const refs = new Map([
  ['HEAD', 'head'],
  ['refs/heads/main', 'main'],
  ['refs/heads/9.*', 'branch 9.*'],
  ...tags.map((tag) => [`refs/tags/${tag}`, tag] as const),
]);
const remote: RemoteRefs = { refs };

describe('a revision that is a range of versions', () => {
  it.each([
    ['>=1.0.0 <2', '1.2.10'],
    ['>=1.0.0, <1.2.5', 'v1.2.3'],
    ['1.2.*', '1.2.10'],
    ['1.2.x', '1.2.10'],
    ['v1.*', '1.2.10'],
    ['^1', '1.2.10'],
    ['~1.2.3', '1.2.10'],
    ['*', 'v2.0.0'],
    ['>=1.3.0-0 <2.0.0-0', 'v1.3.0-rc.1'],
    ['1.0.0 - 1.2.5', 'v1.2.3'],
    ['<1.0.0 || >=2', 'v2.0.0'],
  ])('%s is the highest tag in it: %s', (range, tag) => {
    expect(commitOfRef(remote, range)).toBe(tag);
  });

  it('is no range when it is a whole version, a branch or a tag', () => {
    expect(commitOfRef(remote, 'v1.2.3')).toBe('v1.2.3');
    expect(commitOfRef(remote, '1.2.3')).toBeUndefined();
    expect(commitOfRef(remote, '1.2')).toBe('1.2');
    expect(commitOfRef(remote, 'latest')).toBe('latest');
    expect(commitOfRef(remote, 'main')).toBe('main');
    expect(commitOfRef(remote, '')).toBe('head');
  });

  it('falls back to a branch of that name, and is nothing when no tag is in it', () => {
    expect(commitOfRef(remote, '9.*')).toBe('branch 9.*');
    expect(commitOfRef(remote, '>=3')).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { isSameRepository, parseRepositoryUrl, redactUrl } from './index.ts';

describe('parseRepositoryUrl', () => {
  it.each([
    '-oProxyCommand=touch /tmp/x',
    '--upload-pack=touch',
    'ext::sh -c whoami',
    'file:///etc',
    '/etc',
    'ftp://host/x',
    'https://',
    'https://host/a b',
    'https://host/a\nb',
    'ssh://-oProxyCommand=x/y',
    '',
    'just-a-name',
  ])('refuses %j', (url) => {
    expect(() => parseRepositoryUrl(url)).toThrow(/repository URL/);
  });

  it('takes user and password out of the address that git sees', () => {
    expect(parseRepositoryUrl('https://ana:s%40crt@git.example.com:8443/a/b.git')).toEqual({
      address: 'https://git.example.com:8443/a/b.git',
      protocol: 'https',
      origin: 'https://git.example.com:8443',
      username: 'ana',
      password: 's@crt',
    });
  });

  it('allows local paths only when told', () => {
    expect(parseRepositoryUrl('file:///srv/a.git', { allowFile: true }).address).toBe('/srv/a.git');
  });
});

describe('isSameRepository', () => {
  it.each([
    ['https://github.com/a/b', 'https://GitHub.com/a/b.git'],
    ['git@github.com:a/b.git', 'https://github.com/a/b/'],
    ['ssh://git@github.com/a/b', 'https://user:pw@github.com/a/b'],
  ])('%s is %s', (a, b) => {
    expect(isSameRepository(a, b)).toBe(true);
  });

  it('keeps different paths and hosts apart', () => {
    expect(isSameRepository('https://github.com/a/b', 'https://github.com/a/c')).toBe(false);
    expect(isSameRepository('https://github.com/a/b', 'https://gitlab.com/a/b')).toBe(false);
    expect(isSameRepository('https://github.com/a/b', 'https://github.com/a/B')).toBe(false);
  });
});

it('redactUrl leaves no user or password', () => {
  expect(redactUrl('https://ana:secret@host/a')).toBe('https://host/a');
});

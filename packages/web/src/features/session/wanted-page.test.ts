import { expect, it } from 'vitest';
import { readRemembered, safePage } from './wanted-page.ts';

it('leads only to pages of this server', () => {
  expect(safePage('/applications/eu/argocd/shop?tab=history')).toBe('/applications/eu/argocd/shop?tab=history');
  for (const page of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    undefined,
    '',
  ]) {
    expect(safePage(page)).toBeUndefined();
  }
});

it('never leads back to the sign-in page', () => {
  expect(safePage('/sign-in?code=x')).toBeUndefined();
});

it('forgets a remembered page after a quarter of an hour', () => {
  const stored = JSON.stringify({ page: '/runtimes', atMs: 0 });
  expect(readRemembered(stored, 14 * 60_000)).toBe('/runtimes');
  expect(readRemembered(stored, 16 * 60_000)).toBeUndefined();
  expect(readRemembered('{}', 0)).toBeUndefined();
  expect(readRemembered(null, 0)).toBeUndefined();
});

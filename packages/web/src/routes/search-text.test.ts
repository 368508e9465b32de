import { expect, it } from 'vitest';
import { formatQuery, parseQuery } from './search-text.ts';

it('brings values through the URL as they are', () => {
  const query = { code: '123', health: 'Degraded,Missing', search: 'a b&c=d', resource: 'apps/Deployment/shop/web' };
  expect(parseQuery(formatQuery(query))).toEqual(query);
  expect(formatQuery({ health: 'Degraded,Missing', resource: 'apps/Pod/a/b' })).toBe(
    '?health=Degraded,Missing&resource=apps/Pod/a/b',
  );
  expect(formatQuery({ a: '', b: undefined })).toBe('');
});

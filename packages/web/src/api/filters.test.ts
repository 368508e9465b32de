import { expect, it } from 'vitest';
import { facetValues, isFiltered, readFilters, withFacet, withSearch } from './filters.ts';
import { formatResourceRef, parseResourceRef } from './resource-ref.ts';

it('reads only what it knows from the URL and drops empty values', () => {
  expect(readFilters({ health: 'Degraded,Missing', search: ' ', color: 'red', sort: 'name', sync: 3 })).toEqual({
    health: 'Degraded,Missing',
    sort: 'name',
  });
  expect(readFilters({ sort: 'attention' })).toEqual({});
});

it('sets and clears a facet without touching the others', () => {
  const filters = withFacet({ runtime: 'eu' }, 'health', ['Degraded', 'Missing']);
  expect(facetValues(filters, 'health')).toEqual(['Degraded', 'Missing']);
  expect(withFacet(filters, 'health', [])).toEqual({ runtime: 'eu' });
  expect(withSearch({ ...filters, search: 'x' }, '')).toEqual(filters);
});

it('counts facets and search as narrowing, sorting not', () => {
  expect(isFiltered({ sort: 'name' })).toBe(false);
  expect(isFiltered({ search: 'pay' })).toBe(true);
});

it('brings a resource through the URL and back, core group and cluster scope included', () => {
  const namespaceRef = { group: '', kind: 'Namespace', namespace: '', name: 'shop' };
  expect(parseResourceRef(formatResourceRef(namespaceRef))).toEqual(namespaceRef);
  expect(parseResourceRef('apps/Deployment/shop/web')).toEqual({
    group: 'apps',
    kind: 'Deployment',
    namespace: 'shop',
    name: 'web',
  });
  expect(parseResourceRef('nonsense')).toBeUndefined();
  expect(parseResourceRef(undefined)).toBeUndefined();
});

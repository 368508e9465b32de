// What the list shows is in the URL, and the server filters: these are the same words as the API's query.
export const facetNames = [
  'health',
  'sync',
  'runtime',
  'cluster',
  'destinationNamespace',
  'project',
  'repo',
  'label',
  'namespace',
] as const;
export type FacetName = (typeof facetNames)[number];

export const sortNames = ['attention', 'name', 'changed'] as const;
export type SortName = (typeof sortNames)[number];

/** Facets are comma lists, as the API takes them; an absent one selects all. */
export type ApplicationFilters = { readonly [F in FacetName]?: string } & {
  readonly search?: string;
  readonly sort?: SortName;
};

/** How the list is shown, beside what it shows: of the URL, not of the API. */
export interface ListLook {
  readonly view?: 'cards';
  /** Favourites of this browser alone. */
  readonly only?: 'favourites';
}

export type ApplicationsSearch = ApplicationFilters & ListLook;

export function readApplicationsSearch(query: Readonly<Record<string, unknown>>): ApplicationsSearch {
  return {
    ...readFilters(query),
    ...(query['view'] === 'cards' && { view: 'cards' as const }),
    ...(query['only'] === 'favourites' && { only: 'favourites' as const }),
  };
}

export const filtersOf = ({ view: _, only: __, ...filters }: ApplicationsSearch): ApplicationFilters => filters;

/** Reads the URL's query tolerantly: unknown names and empty values are dropped. */
export function readFilters(query: Readonly<Record<string, unknown>>): ApplicationFilters {
  const filters: Record<string, string> = {};
  for (const name of [...facetNames, 'search']) {
    const value = query[name];
    if (typeof value === 'string' && value.trim() !== '') filters[name] = value;
  }
  const sort = sortNames.find((name) => name === query['sort'] && name !== 'attention');
  return sort ? { ...filters, sort } : filters;
}

export const facetValues = (filters: ApplicationFilters, facet: FacetName): readonly string[] =>
  filters[facet]?.split(',').filter(Boolean) ?? [];

export function withFacet(
  filters: ApplicationFilters,
  facet: FacetName,
  values: readonly string[],
): ApplicationFilters {
  const { [facet]: _, ...others } = filters;
  return values.length === 0 ? others : { ...others, [facet]: values.join(',') };
}

export function withSearch(filters: ApplicationFilters, search: string): ApplicationFilters {
  const { search: _, ...others } = filters;
  return search.trim() === '' ? others : { ...others, search };
}

/** True when the list is narrowed by anything; sorting does not narrow. */
export const isFiltered = ({ sort: _, ...narrowing }: ApplicationFilters): boolean => Object.keys(narrowing).length > 0;

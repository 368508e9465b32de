export {
  type ApplicationSearch,
  type PaneName,
  paneNames,
  readApplicationSearch,
} from './application-search.ts';
export {
  type ApplicationFilters,
  type FacetName,
  facetNames,
  facetValues,
  isFiltered,
  readFilters,
  type SortName,
  sortNames,
  withFacet,
  withSearch,
} from './filters.ts';
export { keys } from './keys.ts';
export {
  applicationQuery,
  applicationsQuery,
  jumpQuery,
  manifestsQuery,
  meQuery,
  runtimesQuery,
  summaryQuery,
} from './queries.ts';
export { formatResourceRef, parseResourceRef, type ResourceRef } from './resource-ref.ts';
export { staleForMs } from './staleness.ts';

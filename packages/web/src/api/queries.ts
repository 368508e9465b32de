// Every read of the API as query options: key, call, freshness. The live feed keeps them up to date; the slow interval
// is the safety net below it, so that nothing stays wrong for longer than that.
import type { ApiClient, ApplicationId, ApplicationPage, ApplicationSummary } from '@fairlead/contracts';
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import type { ApplicationFilters } from './filters.ts';
import { keys } from './keys.ts';
import type { ResourceRef } from './resource-ref.ts';

export const safetyNetMs = 30_000;
/** While Git rights of the reader are being looked up, should the live feed not say that they are known. */
const checkedAgainMs = 3_000;
/** More than a screen of them; boot/start.js asks for as many. */
const firstPageSize = 60;
/** Larger than the first, so that 10,000 rows are at most 21 requests when the list is loaded again. */
const laterPageSize = 500;

export const meQuery = (api: ApiClient) =>
  queryOptions({ queryKey: keys.me, queryFn: ({ signal }) => api.call('me', {}, { signal }), staleTime: 60_000 });

/** `client` receives the summary of each first page, which the frame shows on all pages. */
export const applicationsQuery = (api: ApiClient, client: QueryClient, filters: ApplicationFilters) =>
  infiniteQueryOptions({
    queryKey: keys.list(filters),
    initialPageParam: '',
    queryFn: async ({ pageParam, signal }): Promise<ApplicationPage> => {
      const limit = pageParam === '' ? firstPageSize : laterPageSize;
      const page = await api.call('listApplications', { query: { ...filters, limit, after: pageParam } }, { signal });
      client.setQueryData(keys.summary, page.summary);
      return page;
    },
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    // Each loaded page is a request, so that a long list is looked after less often.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.at(-1)?.gitRights?.checking ? checkedAgainMs : safetyNetMs * Math.max(1, data?.pages.length ?? 1),
  });

/** Rows beyond the first page, so that a key in the search field can mostly be answered before the server does. */
export const heldQuery = (api: ApiClient, { search: _, ...filters }: ApplicationFilters) =>
  infiniteQueryOptions({
    queryKey: keys.held(filters),
    initialPageParam: '',
    queryFn: ({ signal }) => api.call('listApplications', { query: { ...filters, limit: laterPageSize } }, { signal }),
    getNextPageParam: () => undefined,
    staleTime: safetyNetMs,
  });

/** A list that is on its way brings it too; then nothing is asked. */
export const summaryQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: keys.summary,
    queryFn: async ({ client, signal }): Promise<ApplicationSummary> =>
      (await summaryUnderWay(client)) ??
      (await api.call('listApplications', { query: { limit: 1 } }, { signal })).summary,
    refetchInterval: safetyNetMs,
  });

/** Of somebody who sees nothing, where what is seen follows Git. */
export const gitRightsQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: keys.gitRights,
    queryFn: async ({ signal }) =>
      (await api.call('listApplications', { query: { limit: 1 } }, { signal })).gitRights ?? { checking: 0 },
    refetchInterval: ({ state: { data } }) => (data?.checking ? checkedAgainMs : safetyNetMs),
  });

async function summaryUnderWay(client: QueryClient): Promise<ApplicationSummary | undefined> {
  const [list] = client.getQueryCache().findAll({ queryKey: keys.lists, fetchStatus: 'fetching' });
  const answer = await list?.promise?.catch(() => undefined); // its own failure is the list's to show
  return (answer as InfiniteData<ApplicationPage> | undefined)?.pages[0]?.summary; // lists hold nothing else
}

/** What the filters could still take, each with how many rows it would leave. */
export const facetsQuery = (api: ApiClient, { sort: _, ...filters }: ApplicationFilters) =>
  queryOptions({
    queryKey: keys.facets(filters),
    queryFn: ({ signal }) => api.call('listApplicationFacets', { query: filters }, { signal }),
    placeholderData: keepPreviousData,
  });

/** Everything whose name has the text in it. */
export const foundQuery = (api: ApiClient, text: string) =>
  queryOptions({
    queryKey: keys.found(text),
    queryFn: async ({ signal }) => (await api.call('search', { query: { query: text } }, { signal })).items,
    placeholderData: keepPreviousData,
    enabled: text !== '',
  });

/** A few applications by name, for the command bar. */
export const jumpQuery = (api: ApiClient, search: string) =>
  queryOptions({
    queryKey: keys.jump(search),
    queryFn: async ({ signal }) =>
      (await api.call('listApplications', { query: { search, limit: 8 } }, { signal })).items,
    placeholderData: keepPreviousData,
  });

export const applicationQuery = (api: ApiClient, id: ApplicationId) =>
  queryOptions({
    queryKey: keys.detail(id),
    queryFn: ({ signal }) => api.call('getApplication', { params: id }, { signal }),
    refetchInterval: safetyNetMs,
  });

/** Of a past moment when `at` is given. */
export const manifestsQuery = (api: ApiClient, id: ApplicationId, ref: ResourceRef, at?: string) =>
  queryOptions({
    queryKey: at ? [...keys.past(id, at), ref] : keys.resource(id, ref),
    queryFn: ({ signal }) => {
      const { group, kind, namespace, name } = ref;
      const query = {
        kind,
        resource: name,
        ...(group && { group }),
        ...(namespace && { namespace }),
        ...(at && { at }),
      };
      return api.call('getApplicationResource', { params: id, query }, { signal });
    },
  });

export const runtimesQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: keys.runtimes,
    queryFn: async ({ signal }) => (await api.call('listRuntimes', {}, { signal })).items,
    refetchInterval: safetyNetMs,
  });

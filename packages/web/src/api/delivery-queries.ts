// Where things are deployed from and to, and how far the set-up is.
import type { ApiClient } from '@fairlead/contracts';
import { queryOptions } from '@tanstack/react-query';
import { keys } from './keys.ts';

const safetyNetMs = 30_000;

export const clustersQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: keys.clusters,
    queryFn: async ({ signal }) => (await api.call('listClusters', {}, { signal })).items,
    refetchInterval: safetyNetMs,
  });

export const gitSourcesQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: keys.gitSources,
    queryFn: async ({ signal }) => (await api.call('listGitSources', {}, { signal })).items,
    refetchInterval: safetyNetMs,
  });

const seldomMs = 10 * 60_000;

export const versionsQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: keys.versions,
    queryFn: ({ signal }) => api.call('listVersions', {}, { signal }),
    staleTime: seldomMs,
    refetchInterval: seldomMs,
  });

const watchedMs = 2000;

/** While something is under way it is asked for often: its progress is what people look at. */
export const setupQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: keys.setup,
    queryFn: ({ signal }) => api.call('getSetup', {}, { signal }),
    refetchInterval: ({ state }) => (state.data && !state.data.complete ? watchedMs : safetyNetMs),
  });

// Applications as Git defines them, and the tokens their commits are made with.
import type { ApiClient, ApplicationId } from '@fairlead/contracts';
import { queryOptions } from '@tanstack/react-query';
import { keys } from './keys.ts';

export const definitionQuery = (api: ApiClient, id: ApplicationId) =>
  queryOptions({
    queryKey: keys.definition(id),
    queryFn: ({ signal }) => api.call('getApplicationDefinition', { params: id }, { signal }),
    refetchOnWindowFocus: false,
  });

export const deletionQuery = (api: ApiClient, id: ApplicationId) =>
  queryOptions({
    queryKey: [...keys.definition(id), 'deletion'],
    queryFn: ({ signal }) => api.call('getDeletionImpact', { params: id }, { signal }),
    staleTime: 0,
  });

export const gitTokensQuery = (api: ApiClient, runtime: string) =>
  queryOptions({
    queryKey: keys.gitTokens(runtime),
    queryFn: async ({ signal }) => (await api.call('listGitTokens', { params: { runtime } }, { signal })).items,
    enabled: runtime !== '',
  });

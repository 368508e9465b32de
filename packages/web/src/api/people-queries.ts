// Who there is, what they may, what they did.
import type { ApiClient } from '@fairlead/contracts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { keys } from './keys.ts';

export const usersQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: keys.users,
    queryFn: async ({ signal }) => (await api.call('listUsers', {}, { signal })).items,
  });

export const teamsQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: keys.teams,
    queryFn: async ({ signal }) => (await api.call('listTeams', {}, { signal })).items,
  });

export const accessRulesQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: keys.accessRules,
    queryFn: ({ signal }) => api.call('listAccessRules', {}, { signal }),
  });

export const apiKeysQuery = (api: ApiClient, all: boolean) =>
  queryOptions({
    queryKey: keys.apiKeys(all),
    queryFn: async ({ signal }) => (await api.call('listApiKeys', { query: all ? { all } : {} }, { signal })).items,
  });

export const sessionsQuery = (api: ApiClient, all: boolean) =>
  queryOptions({
    queryKey: keys.sessions(all),
    queryFn: async ({ signal }) => (await api.call('listSessions', { query: all ? { all } : {} }, { signal })).items,
  });

export const auditNames = ['actor', 'action', 'entity', 'outcome', 'from', 'to'] as const;

/** As the URL and the API write it; moments are RFC 3339. */
export type AuditFilter = { readonly [N in (typeof auditNames)[number]]?: string };

export function readAuditFilter(query: Readonly<Record<string, unknown>>): AuditFilter {
  const given = auditNames.flatMap((name) => {
    const value = query[name];
    return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()] as const] : [];
  });
  return Object.fromEntries(given);
}

export const auditQuery = (api: ApiClient, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: keys.audit(filter),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, limit: 100, ...(pageParam && { after: pageParam }) };
      return api.call('listAudit', { query }, { signal });
    },
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });

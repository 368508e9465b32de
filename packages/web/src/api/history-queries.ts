// What was: deployments, the moments of change, the state at one of them, and what differs between two.
import type { ApiClient, ApplicationId, DeploymentRow } from '@fairlead/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { keys } from './keys.ts';

const deploymentPage = 50;
const pastStaleMs = 5 * 60_000;

export const deploymentsQuery = (api: ApiClient, id: ApplicationId) =>
  infiniteQueryOptions({
    queryKey: keys.deployments(id),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: deploymentPage, ...(pageParam && { after: pageParam }) };
      return api.call('listDeployments', { params: id, query }, { signal });
    },
    getNextPageParam: (page) => page.next,
  });

export const timelineQuery = (api: ApiClient, id: ApplicationId) =>
  queryOptions({
    queryKey: keys.timeline(id),
    queryFn: ({ signal }) => api.call('getApplicationTimeline', { params: id, query: { limit: 500 } }, { signal }),
  });

export const applicationAtQuery = (api: ApiClient, id: ApplicationId, at: string | undefined) =>
  queryOptions({
    queryKey: keys.past(id, at ?? ''),
    queryFn: ({ signal }) => api.call('getApplication', { params: id, query: { at: at ?? '' } }, { signal }),
    enabled: at !== undefined,
    staleTime: pastStaleMs,
  });

export const comparedQuery = (api: ApiClient, id: ApplicationId, from: string, to: string | undefined) =>
  queryOptions({
    queryKey: keys.compared(id, from, to),
    queryFn: ({ signal }) =>
      api.call('diffApplication', { params: id, query: { from, ...(to && { to }) } }, { signal }),
    staleTime: to ? pastStaleMs : 0,
  });

/** Pages of 500 that are asked for at most, so that a busy account costs ten requests and not a hundred. */
const maxPages = 10;

export interface RecentDeployments {
  readonly items: readonly DeploymentRow[];
  /** There were more than were asked for: the oldest are missing. */
  readonly isCut: boolean;
}

/** All deployments since `days` days before, newest first. */
export const recentDeploymentsQuery = (api: ApiClient, days: number, nowMs: () => number) =>
  queryOptions({
    queryKey: keys.recent(days),
    queryFn: async ({ signal }): Promise<RecentDeployments> => {
      const from = new Date(nowMs() - days * 86_400_000).toISOString();
      const items: DeploymentRow[] = [];
      let after: string | undefined;
      for (let page = 0; page < maxPages; page++) {
        const query = { from, limit: 500, ...(after && { after }) };
        const answer = await api.call('listAllDeployments', { query }, { signal });
        items.push(...answer.items);
        after = answer.next;
        if (!after) return { items, isCut: false };
      }
      return { items, isCut: true };
    },
    refetchInterval: 60_000,
  });

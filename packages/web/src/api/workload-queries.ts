// Rollouts, ReplicaSets, AnalysisRuns and Workflows as the resource reporter saw them last.
import type { ApiClient, ApplicationId } from '@fairlead/contracts';
import { queryOptions } from '@tanstack/react-query';
import { keys } from './keys.ts';

const safetyNetMs = 30_000;

export const applicationWorkloadsQuery = (api: ApiClient, id: ApplicationId) =>
  queryOptions({
    queryKey: keys.workloads(id),
    queryFn: async ({ signal }) => (await api.call('listApplicationWorkloads', { params: id }, { signal })).items,
    refetchInterval: safetyNetMs,
  });

/** Also those of no application; for administrators. */
export const runtimeWorkloadsQuery = (api: ApiClient, runtime: string) =>
  queryOptions({
    queryKey: keys.runtimeWorkloads(runtime),
    queryFn: async ({ signal }) =>
      (await api.call('listWorkloads', { params: { runtime }, query: { limit: 200 } }, { signal })).items,
    refetchInterval: safetyNetMs,
  });

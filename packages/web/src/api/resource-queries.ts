// What is asked of the runtime itself, when somebody looks: events, the live object, what can be done to it.
import type { ApiClient, ApplicationId } from '@fairlead/contracts';
import { queryOptions } from '@tanstack/react-query';
import { keys } from './keys.ts';
import type { ResourceRef } from './resource-ref.ts';

const lookAgainMs = 10_000;

/** As the routes on one resource take it. */
export const resourceQuery = ({ group, kind, namespace, name }: ResourceRef) => ({
  ...{ kind, resource: name },
  ...(group && { group }),
  ...(namespace && { namespace }),
});

export const eventsQuery = (api: ApiClient, id: ApplicationId, ref: ResourceRef) =>
  queryOptions({
    queryKey: [...keys.resource(id, ref), 'events'],
    queryFn: async ({ signal }) =>
      (await api.call('listEvents', { params: id, query: resourceQuery(ref) }, { signal })).items,
    refetchInterval: lookAgainMs,
  });

export const liveResourceQuery = (api: ApiClient, id: ApplicationId, ref: ResourceRef) =>
  queryOptions({
    queryKey: [...keys.resource(id, ref), 'live'],
    queryFn: async ({ signal }) =>
      (await api.call('getLiveResource', { params: id, query: resourceQuery(ref) }, { signal })).manifest,
  });

export const resourceActionsQuery = (api: ApiClient, id: ApplicationId, ref: ResourceRef) =>
  queryOptions({
    queryKey: [...keys.resource(id, ref), 'actions'],
    queryFn: async ({ signal }) =>
      (await api.call('listResourceActions', { params: id, query: resourceQuery(ref) }, { signal })).items,
  });

/** Looks at pods, events and log lines now, which the reported explanation does not. */
export const closerLookQuery = (api: ApiClient, id: ApplicationId) =>
  queryOptions({
    queryKey: [...keys.detail(id), 'why'],
    queryFn: async ({ signal }) =>
      (await api.call('explainApplication', { params: id }, { signal })).explanation ?? null,
    staleTime: 0,
  });

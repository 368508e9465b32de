// Keys of the query cache. One place, since the live feed patches what the queries filled.
import type { ApplicationId } from '@fairlead/contracts';
import type { ApplicationFilters } from './filters.ts';
import type { ResourceRef } from './resource-ref.ts';

export const keys = {
  me: ['me'] as const,
  summary: ['applications', 'summary'] as const,
  lists: ['applications', 'list'] as const,
  list: (filters: ApplicationFilters) => ['applications', 'list', filters] as const,
  jump: (search: string) => ['applications', 'jump', search] as const,
  details: ['application'] as const,
  detail: ({ runtime, namespace, name }: ApplicationId) => ['application', runtime, namespace, name, 'detail'] as const,
  manifests: ({ runtime, namespace, name }: ApplicationId) =>
    ['application', runtime, namespace, name, 'manifests'] as const,
  resource: (id: ApplicationId, ref: ResourceRef) => [...keys.manifests(id), ref] as const,
  runtimes: ['runtimes'] as const,
};

// Keys of the query cache. One place, since the live feed patches what the queries filled.
import type { ApplicationId } from '@fairlead/contracts';
import type { ApplicationFilters } from './filters.ts';
import type { ResourceRef } from './resource-ref.ts';

export const keys = {
  me: ['me'] as const,
  summary: ['applications', 'summary'] as const,
  gitRights: ['applications', 'git-rights'] as const,
  lists: ['applications', 'list'] as const,
  list: (filters: ApplicationFilters) => ['applications', 'list', filters] as const,
  /** One of the lists, so that the live feed patches it too. */
  held: (filters: ApplicationFilters) => ['applications', 'list', 'held', filters] as const,
  jump: (search: string) => ['applications', 'jump', search] as const,
  details: ['application'] as const,
  detail: ({ runtime, namespace, name }: ApplicationId) => ['application', runtime, namespace, name, 'detail'] as const,
  manifests: ({ runtime, namespace, name }: ApplicationId) =>
    ['application', runtime, namespace, name, 'manifests'] as const,
  resource: (id: ApplicationId, ref: ResourceRef) => [...keys.manifests(id), ref] as const,
  deployments: ({ runtime, namespace, name }: ApplicationId) =>
    ['application', runtime, namespace, name, 'deployments'] as const,
  timeline: ({ runtime, namespace, name }: ApplicationId) =>
    ['application', runtime, namespace, name, 'timeline'] as const,
  /** What has been does not change: the live feed leaves it alone. */
  past: ({ runtime, namespace, name }: ApplicationId, at: string) => ['past', runtime, namespace, name, at] as const,
  compared: (id: ApplicationId, from: string, to: string | undefined) =>
    ['past', id.runtime, id.namespace, id.name, 'diff', from, to ?? 'now'] as const,
  workloads: ({ runtime, namespace, name }: ApplicationId) =>
    ['application', runtime, namespace, name, 'workloads'] as const,
  runtimeWorkloads: (runtime: string) => ['workloads', runtime] as const,
  anyFacets: ['applications', 'facets'] as const,
  facets: (filters: ApplicationFilters) => ['applications', 'facets', filters] as const,
  found: (text: string) => ['search', text] as const,
  recent: (days: number) => ['deployments', days] as const,
  /** Under another name than what the live feed reloads: an editor must not lose its base. */
  definition: ({ runtime, namespace, name }: ApplicationId) => ['definition', runtime, namespace, name] as const,
  gitTokens: (runtime: string) => ['git-tokens', runtime] as const,
  plan: (asked: object) => ['plan', asked] as const,
  branches: (runtime: string, repoURL: string) => ['branches', runtime, repoURL] as const,
  clusters: ['clusters'] as const,
  gitSources: ['git-sources'] as const,
  setup: ['setup'] as const,
  versions: ['versions'] as const,
  runtimes: ['runtimes'] as const,
  users: ['users'] as const,
  teams: ['teams'] as const,
  accessRules: ['access-rules'] as const,
  apiKeys: (all: boolean) => ['api-keys', all] as const,
  sessions: (all: boolean) => ['sessions', all] as const,
  notifications: ['notifications'] as const,
  audit: (filter: object) => ['audit', filter] as const,
};

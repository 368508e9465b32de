export {
  type ApplicationSearch,
  type PaneName,
  paneNames,
  readApplicationSearch,
  type TabName,
  tabNames,
} from './application-search.ts';
export { definitionQuery, deletionQuery, gitTokensQuery } from './definition-queries.ts';
export { clustersQuery, gitSourcesQuery, setupQuery, versionsQuery } from './delivery-queries.ts';
export { fieldProblems, fieldReasons, isAtField } from './field-problems.ts';
export {
  type ApplicationFilters,
  type ApplicationsSearch,
  type FacetName,
  facetNames,
  facetValues,
  filtersOf,
  isFiltered,
  readApplicationsSearch,
  type SortName,
  sortNames,
  withFacet,
  withSearch,
} from './filters.ts';
export {
  applicationAtQuery,
  comparedQuery,
  deploymentsQuery,
  recentDeploymentsQuery,
  timelineQuery,
} from './history-queries.ts';
export { keys } from './keys.ts';
export {
  type NotificationsSearch,
  notificationsQuery,
  readNotificationsSearch,
  unreadQuery,
} from './notification-queries.ts';
export { putOwnGitToken } from './own-git-token.ts';
export {
  type AuditFilter,
  accessRulesQuery,
  apiKeysQuery,
  auditQuery,
  readAuditFilter,
  sessionsQuery,
  teamsQuery,
  usersQuery,
} from './people-queries.ts';
export { branchesQuery, type PlanSearch, planQuery, readPlanSearch } from './plan-queries.ts';
export {
  applicationQuery,
  applicationsQuery,
  facetsQuery,
  foundQuery,
  gitRightsQuery,
  heldQuery,
  jumpQuery,
  manifestsQuery,
  meQuery,
  runtimesQuery,
  summaryQuery,
} from './queries.ts';
export {
  closerLookQuery,
  eventsQuery,
  liveResourceQuery,
  resourceActionsQuery,
  resourceQuery,
} from './resource-queries.ts';
export { formatResourceRef, parseResourceRef, type ResourceRef } from './resource-ref.ts';
export { type SectionId, sections } from './settings-sections.ts';
export { staleForMs } from './staleness.ts';
export { applicationWorkloadsQuery, runtimeWorkloadsQuery } from './workload-queries.ts';

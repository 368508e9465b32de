export {
  applicationObject,
  destinationCluster,
  manifestsPlace,
  type NamedEntity,
  namedIn,
  namedObject,
  type ObjectAttributes,
  repositoriesIn,
} from './access/attributes.ts';
export {
  decide,
  isSeen,
  isUnrestricted,
  type Policy,
  type Question,
  type Subject,
  seesAll,
  type Visibility,
  visibilityOf,
} from './access/evaluate.ts';
export { GitRightsEnforced, GitRightsManifest, gitRightsKind } from './access/git-rights.ts';
export { adminsOnly, deniedWords, noApplicationWords, noNamedWords } from './access/words.ts';
export {
  AccessChange,
  AccessDecision,
  AccessDefault,
  AccessPreview,
  AccessRule,
  AccessRules,
  GitRightsSetting,
} from './api/access.ts';
export {
  AccessAttributes,
  AccessEntity,
  AccessRuleChange,
  AccessRuleInput,
  AccessRuleProblem,
  maxAccessRules,
  ruledEntities,
} from './api/access-rule.ts';
export {
  type ApiClient,
  ApiError,
  createApiClient,
  fillPath,
  queryString,
  type StreamRouteName,
} from './api/client.ts';
export {
  ActReceipt,
  ApplicationDetail,
  ApplicationDiff,
  ApplicationFacets,
  ApplicationId,
  ApplicationPage,
  ApplicationRow,
  ApplicationSummary,
  ApplicationTimeline,
  ClusterRow,
  DeploymentPage,
  DeploymentPhase,
  DeploymentRow,
  GitSourceRow,
  GitTokenWarning,
  Me,
  QuarantinedObject,
  RefreshRequest,
  ResourceManifests,
  RuntimeAccess,
  RuntimeRow,
  SearchHit,
  SyncRequest,
} from './api/entities.ts';
export { ApiErrorBody, type ErrorCode, errorStatus } from './api/errors.ts';
export { keepAliveEvent, readEvents, writeEvent } from './api/event-stream.ts';
export { Notification, NotificationKind, NotificationPage, notificationKinds } from './api/notifications.ts';
export {
  ApiKeyRow,
  AuditEntry,
  AuditPage,
  KeyScope,
  SessionRow,
  TeamRow,
  UserRole,
  UserRow,
} from './api/people.ts';
export {
  type ApplicationAction,
  applicationActions,
  type Route,
  type RouteAuth,
  type RouteBody,
  type RouteInput,
  type RouteNeed,
  type RouteParams,
  type RouteQuery,
  type RouteResponse,
  route,
} from './api/route.ts';
export { inputProblemText, type RouteInputChecks, routeInputChecks } from './api/route-input.ts';
export { livePath, type RouteName, routes, tunnelPath } from './api/routes.ts';
export { HostedInstall, InstallStep, SetupState } from './api/setup.ts';
export { FeedVersion, Upgrade, VersionFeed, Versions } from './api/versions.ts';
export { WebhookInput, WebhookRow } from './api/webhooks.ts';
export { ClusterCredentials, clusterCredentialsPurpose } from './app-proxy/clusters.ts';
export { CommitReceipt } from './app-proxy/commit.ts';
export { ComponentLogLine, type RuntimeComponent, runtimeComponents } from './app-proxy/components.ts';
export {
  ApplicationDefinition,
  ApplicationPreview,
  ApplicationProblem,
  DeletionImpact,
  RollbackReceipt,
  RollbackRequest,
} from './app-proxy/definitions.ts';
export { gitProviders, repositoryAddress } from './app-proxy/git-providers.ts';
export { GitReadAnswer, maxGitRightsAsked } from './app-proxy/git-rights.ts';
export { GitSourceLimits, GitSourceSettings } from './app-proxy/git-sources.ts';
export { GitProviderKind, GitTokenRow } from './app-proxy/git-tokens.ts';
export {
  destinationIn,
  destinationWords,
  kindIn,
  kindWords,
  type RestrictedDestination,
  type RestrictedKind,
} from './app-proxy/limit-words.ts';
export { PlanAnswer, PlannedApplicationChange, PlannedObject, PlanRequest } from './app-proxy/plans.ts';
export { GitFileRow, GitRepositoryRow } from './app-proxy/repositories.ts';
export { EventRow, LogLine, ResourceAction } from './app-proxy/resources.ts';
export {
  type AppProxyRoute,
  appProxyPrefix,
  assertedObject,
  isEventStream,
} from './app-proxy/route.ts';
export { type AppProxyRouteName, appProxyRoutes } from './app-proxy/routes.ts';
export {
  Application,
  ApplicationCondition,
  ApplicationDestination,
  ApplicationSource,
  ApplicationSpec,
  ApplicationStatus,
  asApplication,
  HealthCode,
  HealthStatus,
  healthCodes,
  Operation,
  OperationPhase,
  OperationState,
  ResourceResult,
  ResourceStatus,
  RevisionHistory,
  SyncCode,
  SyncOperation,
  SyncOperationResource,
  SyncPolicy,
} from './argo/application.ts';
export { ApplicationSetShape, GeneratorShape } from './argo/applicationset-shape.ts';
export { applicationCrd, appProjectCrd } from './argo/crds.ts';
export {
  type ApplicationEntity,
  applicationEntities,
  applicationsProjectAnnotation,
  entityLabel,
  entityOf,
  internalLabel,
} from './argo/entity.ts';
export {
  argoApiVersion,
  argoGroup,
  defaultEngineNamespace,
  inClusterServer,
  initiatedByInfo,
  lastAppliedAnnotation,
  refreshAnnotation,
  renderWithAnnotation,
  resourcesFinalizer,
  syncOptionsAnnotation,
  syncWaveAnnotation,
  trackingIdAnnotation,
} from './argo/names.ts';
export { type JournalEntry, operationsAnnotation, readOperationJournal } from './argo/operation-journal.ts';
export { ProjectShape } from './argo/project-shape.ts';
export {
  ApplicationSyncRequest,
  ApplicationTree,
  ArgoError,
  EngineCluster,
  ManagedResource,
  ManagedResources,
  ResourceNode,
  ResourceNodeRef,
  RevisionMetadata,
} from './argo/rest.ts';
export { SourceTools } from './argo/source-tools.ts';
export { type Checked, checker, type Problem } from './check.ts';
export { AccessRuleManifest, AccessRulesReport, accessRuleKind } from './events/access-rules.ts';
export { CompatibleEvent } from './events/compatible.ts';
export {
  ApplicationReport,
  ClusterReport,
  ClusterStatus,
  CommitReport,
  ContentHash,
  DigestAnswer,
  GitSourceReport,
  OperationReport,
  ReportBatch,
  ReportDigest,
  ReportedObject,
  ReportReceipt,
  ResourceReport,
  RuntimeReport,
  TreeNodeReport,
} from './events/report.ts';
export {
  WorkloadDetail,
  WorkloadKind,
  WorkloadReport,
  WorkloadRow,
  workloadKey,
  workloadKinds,
} from './events/workload.ts';
export { LiveMessage, livePingSeconds } from './live/messages.ts';
export {
  AssertionClaims,
  assertionHeader,
  assertionIssuer,
  assertionMaxAgeSeconds,
  defaultRuntimeNamespace,
  type RuntimeIdentity,
  RuntimePublicKey,
  runtimeIdentitySecret,
  runtimeTokenAudience,
  runtimeTokenMaxAgeSeconds,
} from './runtime/identity.ts';
export {
  gitTokenPurpose,
  makeSealingKey,
  Sealed,
  SealedError,
  SealingPublicKey,
  seal,
  unseal,
} from './runtime/sealing.ts';
export { RepositoryKeys, type SourceAsk, type SourceAskName, sourceAsks } from './runtime/sources.ts';
export {
  accessModeRefusal,
  TunnelChallenge,
  TunnelHello,
  TunnelRefusal,
  TunnelWelcome,
  tunnelCloseCodes,
  tunnelProtocolVersion,
} from './tunnel/handshake.ts';
export { ExplainedObject, Explanation, ExplanationLink, Remedy } from './why/explanation.ts';

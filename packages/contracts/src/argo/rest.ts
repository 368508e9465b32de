// The answers of Argo CD's REST API that our components read (grpc-gateway JSON).
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { HealthStatus, SyncOperationResource } from './application.ts';

const text = Type.String();
const optionalText = Type.Optional(Type.String());

export const ResourceNodeRef = Type.Object({
  group: optionalText,
  version: optionalText,
  kind: text,
  namespace: optionalText,
  name: text,
  uid: optionalText,
});
export type ResourceNodeRef = Static<typeof ResourceNodeRef>;

const labels = Type.Record(text, text);

/** How traffic reaches the object: a Service by labels, an Ingress by references. */
const ResourceNetworkingInfo = Type.Object({
  targetLabels: Type.Optional(labels),
  targetRefs: Type.Optional(Type.Array(ResourceNodeRef)),
  labels: Type.Optional(labels),
  ingress: Type.Optional(Type.Array(Type.Object({ hostname: optionalText, ip: optionalText }))),
  externalURLs: Type.Optional(Type.Array(text)),
});

export const ResourceNode = Type.Object({
  group: optionalText,
  version: optionalText,
  kind: text,
  namespace: optionalText,
  name: text,
  uid: optionalText,
  parentRefs: Type.Optional(Type.Array(ResourceNodeRef)),
  info: Type.Optional(Type.Array(Type.Object({ name: text, value: text }))),
  networkingInfo: Type.Optional(ResourceNetworkingInfo),
  resourceVersion: optionalText,
  images: Type.Optional(Type.Array(text)),
  health: Type.Optional(HealthStatus),
  createdAt: optionalText,
});
export type ResourceNode = Static<typeof ResourceNode>;

export const ApplicationTree = Type.Object({
  nodes: Type.Optional(Type.Array(ResourceNode)),
  orphanedNodes: Type.Optional(Type.Array(ResourceNode)),
});
export type ApplicationTree = Static<typeof ApplicationTree>;

/** `targetState`, `liveState`, `normalizedLiveState`, `predictedLiveState` are JSON texts, Secrets masked; "null" or '' when absent. */
export const ManagedResource = Type.Object({
  group: optionalText,
  kind: text,
  namespace: optionalText,
  name: text,
  targetState: optionalText,
  liveState: optionalText,
  normalizedLiveState: optionalText,
  predictedLiveState: optionalText,
  hook: Type.Optional(Type.Boolean()),
  resourceVersion: optionalText,
  modified: Type.Optional(Type.Boolean()),
});
export type ManagedResource = Static<typeof ManagedResource>;

export const ManagedResources = Type.Object({ items: Type.Optional(Type.Array(ManagedResource)) });

export const RevisionMetadata = Type.Object({
  author: optionalText,
  date: optionalText,
  tags: Type.Optional(Type.Array(text)),
  message: optionalText,
});
export type RevisionMetadata = Static<typeof RevisionMetadata>;

export const ApplicationSyncRequest = Type.Object({
  revision: optionalText,
  prune: Type.Optional(Type.Boolean()),
  dryRun: Type.Optional(Type.Boolean()),
  resources: Type.Optional(Type.Array(SyncOperationResource)),
  strategy: Type.Optional(Type.Object({})),
  syncOptions: Type.Optional(Type.Object({ items: Type.Optional(Type.Array(text)) })),
  infos: Type.Optional(Type.Array(Type.Object({ name: text, value: text }))),
});
export type ApplicationSyncRequest = Static<typeof ApplicationSyncRequest>;

/** As `GET /api/v1/clusters` lists them: without credentials. */
export const EngineCluster = Type.Object({
  name: text,
  server: text,
  labels: Type.Optional(Type.Record(Type.String(), Type.String())),
  annotations: Type.Optional(Type.Record(Type.String(), Type.String())),
  serverVersion: optionalText,
  connectionState: Type.Optional(Type.Object({ status: text, message: optionalText })),
  info: Type.Optional(
    Type.Object({
      applicationsCount: Type.Optional(Type.Integer()),
      serverVersion: optionalText,
      connectionState: Type.Optional(Type.Object({ status: text, message: optionalText })),
    }),
  ),
});
export type EngineCluster = Static<typeof EngineCluster>;

/** The error body of Argo CD's REST API; `code` is a gRPC code. */
export const ArgoError = Type.Object({
  error: optionalText,
  code: Type.Optional(Type.Integer()),
  message: optionalText,
});

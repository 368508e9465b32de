// Argo CD's Application (argoproj.io/v1alpha1), as far as our components read or write it. Fields that are not named
// here pass through untouched: every object is open.
import { type Static, Type } from 'typebox';

const text = Type.String();
const optionalText = Type.Optional(Type.String());

export const ApplicationSource = Type.Object({
  repoURL: text,
  path: optionalText,
  chart: optionalText,
  targetRevision: optionalText,
  ref: optionalText,
  name: optionalText,
  directory: Type.Optional(
    Type.Object({
      recurse: Type.Optional(Type.Boolean()),
      include: optionalText,
      exclude: optionalText,
    }),
  ),
});
export type ApplicationSource = Static<typeof ApplicationSource>;

export const ApplicationDestination = Type.Object({
  server: optionalText,
  name: optionalText,
  namespace: optionalText,
});
export type ApplicationDestination = Static<typeof ApplicationDestination>;

const textMap = Type.Optional(Type.Record(Type.String(), Type.String()));
const texts = Type.Optional(Type.Array(text));

export const SyncPolicy = Type.Object({
  automated: Type.Optional(
    Type.Object({
      enabled: Type.Optional(Type.Boolean()),
      prune: Type.Optional(Type.Boolean()),
      selfHeal: Type.Optional(Type.Boolean()),
      allowEmpty: Type.Optional(Type.Boolean()),
    }),
  ),
  syncOptions: Type.Optional(Type.Array(text)),
  managedNamespaceMetadata: Type.Optional(Type.Object({ labels: textMap, annotations: textMap })),
  retry: Type.Optional(
    Type.Object({
      limit: Type.Optional(Type.Integer()),
      refresh: Type.Optional(Type.Boolean()),
      backoff: Type.Optional(
        Type.Object({ duration: optionalText, factor: Type.Optional(Type.Integer()), maxDuration: optionalText }),
      ),
    }),
  ),
});
export type SyncPolicy = Static<typeof SyncPolicy>;

export const ApplicationSpec = Type.Object({
  project: text,
  source: Type.Optional(ApplicationSource),
  sources: Type.Optional(Type.Array(ApplicationSource)),
  destination: ApplicationDestination,
  syncPolicy: Type.Optional(SyncPolicy),
  ignoreDifferences: Type.Optional(
    Type.Array(
      Type.Object({
        group: optionalText,
        kind: text,
        name: optionalText,
        namespace: optionalText,
        jsonPointers: texts,
        jqPathExpressions: texts,
        managedFieldsManagers: texts,
      }),
    ),
  ),
  info: Type.Optional(Type.Array(Type.Object({ name: text, value: text }))),
  revisionHistoryLimit: Type.Optional(Type.Integer()),
});
export type ApplicationSpec = Static<typeof ApplicationSpec>;

export const HealthCode = Type.Union([
  Type.Literal('Healthy'),
  Type.Literal('Suspended'),
  Type.Literal('Progressing'),
  Type.Literal('Missing'),
  Type.Literal('Degraded'),
  Type.Literal('Unknown'),
]);
export type HealthCode = Static<typeof HealthCode>;

/** Argo CD's order, best first; the health of an application is the worst of its resources. */
export const healthCodes: readonly HealthCode[] = [
  'Healthy',
  'Suspended',
  'Progressing',
  'Missing',
  'Degraded',
  'Unknown',
];

export const SyncCode = Type.Union([Type.Literal('Synced'), Type.Literal('OutOfSync'), Type.Literal('Unknown')]);
export type SyncCode = Static<typeof SyncCode>;

export const HealthStatus = Type.Object({
  status: HealthCode,
  message: optionalText,
  lastTransitionTime: optionalText,
});
export type HealthStatus = Static<typeof HealthStatus>;

const initiatedBy = Type.Object({ username: optionalText, automated: Type.Optional(Type.Boolean()) });

export const SyncOperationResource = Type.Object({
  group: optionalText,
  kind: text,
  name: text,
  namespace: optionalText,
});
export type SyncOperationResource = Static<typeof SyncOperationResource>;

export const SyncOperation = Type.Object({
  revision: optionalText,
  prune: Type.Optional(Type.Boolean()),
  dryRun: Type.Optional(Type.Boolean()),
  resources: Type.Optional(Type.Array(SyncOperationResource)),
  source: Type.Optional(ApplicationSource),
  syncOptions: Type.Optional(Type.Array(text)),
  autoHealAttemptsCount: Type.Optional(Type.Integer()),
});
export type SyncOperation = Static<typeof SyncOperation>;

const infoItems = Type.Optional(Type.Array(Type.Object({ name: text, value: text })));

export const Operation = Type.Object({
  sync: Type.Optional(SyncOperation),
  initiatedBy: Type.Optional(initiatedBy),
  info: infoItems,
});
export type Operation = Static<typeof Operation>;

export const ResourceResult = Type.Object({
  group: text,
  version: text,
  kind: text,
  namespace: text,
  name: text,
  status: optionalText,
  message: optionalText,
  hookType: optionalText,
  hookPhase: optionalText,
  syncPhase: optionalText,
});
export type ResourceResult = Static<typeof ResourceResult>;

export const OperationPhase = Type.Union([
  Type.Literal('Running'),
  Type.Literal('Terminating'),
  Type.Literal('Failed'),
  Type.Literal('Error'),
  Type.Literal('Succeeded'),
]);
export type OperationPhase = Static<typeof OperationPhase>;

export const OperationState = Type.Object({
  operation: Operation,
  phase: OperationPhase,
  message: optionalText,
  startedAt: text,
  finishedAt: optionalText,
  retryCount: Type.Optional(Type.Integer()),
  syncResult: Type.Optional(
    Type.Object({
      revision: text,
      source: Type.Optional(ApplicationSource),
      resources: Type.Optional(Type.Array(ResourceResult)),
    }),
  ),
});
export type OperationState = Static<typeof OperationState>;

export const ResourceStatus = Type.Object({
  group: optionalText,
  version: text,
  kind: text,
  namespace: optionalText,
  name: text,
  status: Type.Optional(SyncCode),
  health: Type.Optional(HealthStatus),
  hook: Type.Optional(Type.Boolean()),
  requiresPruning: Type.Optional(Type.Boolean()),
  syncWave: Type.Optional(Type.Integer()),
});
export type ResourceStatus = Static<typeof ResourceStatus>;

export const RevisionHistory = Type.Object({
  id: Type.Integer(),
  revision: text,
  deployedAt: text,
  deployStartedAt: optionalText,
  source: Type.Optional(ApplicationSource),
  initiatedBy: Type.Optional(initiatedBy),
});
export type RevisionHistory = Static<typeof RevisionHistory>;

export const ApplicationCondition = Type.Object({ type: text, message: text, lastTransitionTime: optionalText });
export type ApplicationCondition = Static<typeof ApplicationCondition>;

export const ApplicationStatus = Type.Object({
  sync: Type.Optional(
    Type.Object({
      status: SyncCode,
      revision: optionalText,
      comparedTo: Type.Optional(
        Type.Object({ source: Type.Optional(ApplicationSource), destination: Type.Optional(ApplicationDestination) }),
      ),
    }),
  ),
  health: Type.Optional(HealthStatus),
  resources: Type.Optional(Type.Array(ResourceStatus)),
  history: Type.Optional(Type.Array(RevisionHistory)),
  conditions: Type.Optional(Type.Array(ApplicationCondition)),
  operationState: Type.Optional(OperationState),
  reconciledAt: optionalText,
  sourceType: optionalText,
  summary: Type.Optional(
    Type.Object({ images: Type.Optional(Type.Array(text)), externalURLs: Type.Optional(Type.Array(text)) }),
  ),
  resourceHealthSource: optionalText,
  controllerNamespace: optionalText,
});
export type ApplicationStatus = Static<typeof ApplicationStatus>;

const metadata = Type.Object({
  name: text,
  namespace: optionalText,
  uid: optionalText,
  resourceVersion: optionalText,
  generation: Type.Optional(Type.Integer()),
  creationTimestamp: optionalText,
  deletionTimestamp: optionalText,
  labels: Type.Optional(Type.Record(Type.String(), Type.String())),
  annotations: Type.Optional(Type.Record(Type.String(), Type.String())),
  finalizers: Type.Optional(Type.Array(text)),
});

export const Application = Type.Object({
  apiVersion: Type.Literal('argoproj.io/v1alpha1'),
  kind: Type.Literal('Application'),
  metadata,
  spec: ApplicationSpec,
  operation: Type.Optional(Operation),
  status: Type.Optional(ApplicationStatus),
});
export type Application = Static<typeof Application>;

/**
 * An object of kind Application as one: the CRD has checked it where it comes from a cluster, and a file is read leniently.
 * Required fields may be missing all the same; who depends on one checks the spec first.
 */
export const asApplication = (object: object): Application => object as Application;

// What a runtime reports to the platform: `POST /api/v1/events`.
//
// Reporting is level-triggered. Each object carries (epoch, sequence): the platform applies it only when newer, so that
// delivering it again or late changes nothing. Manifests travel by content hash, in `contents`, and may be left out when
// the platform is known to hold them; it answers with the hashes it lacks. Secret values are replaced before they
// get here.
import { type Static, Type } from 'typebox';
import {
  ApplicationCondition,
  ApplicationSpec,
  HealthCode,
  HealthStatus,
  OperationPhase,
  ResourceResult,
  RevisionHistory,
  SyncCode,
} from '../argo/application.ts';
import { Explanation } from '../why/explanation.ts';
import { AccessRulesReport } from './access-rules.ts';
import { WorkloadReport } from './workload.ts';

const text = Type.String();
const optionalText = Type.Optional(Type.String());
/** sha256 hex of the canonical JSON (`contentHash` of base). */
export const ContentHash = Type.String({ pattern: '^[0-9a-f]{64}$' });

export const CommitReport = Type.Object({
  revision: text,
  message: optionalText,
  author: optionalText,
  date: optionalText,
  url: optionalText,
});
export type CommitReport = Static<typeof CommitReport>;

/** One managed resource: what Git wants and what the cluster has, by content hash. */
export const ResourceReport = Type.Object({
  group: text,
  version: text,
  kind: text,
  namespace: text,
  name: text,
  sync: Type.Optional(SyncCode),
  health: Type.Optional(HealthStatus),
  hook: Type.Optional(Type.Boolean()),
  requiresPruning: Type.Optional(Type.Boolean()),
  /** The manifest of Git; absent when Git does not have the resource. */
  desired: Type.Optional(ContentHash),
  /** The object in the cluster; absent when it is missing there. */
  live: Type.Optional(ContentHash),
  /** Both sides of the diff after normalisation, only where they differ. */
  diff: Type.Optional(Type.Object({ predicted: ContentHash, normalized: ContentHash })),
});
export type ResourceReport = Static<typeof ResourceReport>;

export const TreeNodeReport = Type.Object({
  uid: text,
  group: text,
  version: text,
  kind: text,
  namespace: text,
  name: text,
  /** uids of the parents in this tree; empty for managed resources. */
  parents: Type.Array(text),
  health: Type.Optional(HealthStatus),
  images: Type.Optional(Type.Array(text)),
  createdAt: optionalText,
  info: Type.Optional(Type.Array(Type.Object({ name: text, value: text }))),
});
export type TreeNodeReport = Static<typeof TreeNodeReport>;

export const OperationReport = Type.Object({
  phase: OperationPhase,
  message: optionalText,
  startedAt: text,
  finishedAt: optionalText,
  revision: optionalText,
  initiatedBy: optionalText,
  automated: Type.Optional(Type.Boolean()),
  /** Per source: the commit that changed what it renders to; '' where none could be named. */
  changeRevisions: Type.Optional(Type.Array(text)),
  results: Type.Array(ResourceResult),
});
export type OperationReport = Static<typeof OperationReport>;

export const ApplicationReport = Type.Object({
  name: text,
  namespace: text,
  uid: text,
  createdAt: optionalText,
  deletingSince: optionalText,
  labels: Type.Record(Type.String(), Type.String()),
  annotations: Type.Record(Type.String(), Type.String()),
  spec: ApplicationSpec,
  /** Repositories that hold its manifest: those of the application that brought it. Absent: nothing in Git is known to have. */
  manifestRepositories: Type.Optional(Type.Array(text)),
  sync: Type.Object({ status: SyncCode, revision: optionalText }),
  health: HealthStatus,
  /** Of the revision that it is compared with. */
  commit: Type.Optional(CommitReport),
  /** The commit that last changed what is deployed, where it is another one: later commits were about other things. */
  changeCommit: Type.Optional(CommitReport),
  operation: Type.Optional(OperationReport),
  /** Operations before it that the engine remembers, oldest first, without their results. */
  operations: Type.Optional(Type.Array(OperationReport)),
  history: Type.Array(RevisionHistory),
  conditions: Type.Array(ApplicationCondition),
  images: Type.Array(text),
  resources: Type.Array(ResourceReport),
  tree: Type.Array(TreeNodeReport),
  /** Why it is not green; absent when it is. */
  explanation: Type.Optional(Explanation),
  reconciledAt: optionalText,
});
export type ApplicationReport = Static<typeof ApplicationReport>;

/** Whether the engine can deploy there: `Unknown` until it was asked. */
export const ClusterStatus = Type.Union([Type.Literal('Successful'), Type.Literal('Failed'), Type.Literal('Unknown')]);
export type ClusterStatus = Static<typeof ClusterStatus>;

/** A cluster that the runtime's engine may deploy to: its own, or a managed one. */
export const ClusterReport = Type.Object({
  name: text,
  server: text,
  labels: Type.Record(Type.String(), Type.String()),
  annotations: Type.Record(Type.String(), Type.String()),
  version: optionalText,
  status: ClusterStatus,
  /** Why it is not `Successful`. */
  message: optionalText,
  /** Applications whose destination it is. */
  applications: Type.Integer({ minimum: 0 }),
});
export type ClusterReport = Static<typeof ClusterReport>;

/** An Application that brings applications from a folder of a repository. */
export const GitSourceReport = Type.Object({
  name: text,
  namespace: text,
  repoUrl: text,
  branch: text,
  /** '' for the root of the repository. */
  path: text,
  include: text,
  exclude: text,
  /** Of a restricted Git Source: the project with its limits, which its applications are kept in. */
  applicationsProject: optionalText,
  /** The commit that it was synced to. */
  revision: optionalText,
  sync: SyncCode,
  health: HealthCode,
  /** Why it is not synced or not healthy. */
  message: optionalText,
  /** Applications that it brings. */
  applications: Type.Integer({ minimum: 0 }),
});
export type GitSourceReport = Static<typeof GitSourceReport>;

export const RuntimeReport = Type.Object({
  version: text,
  engine: Type.Object({ kind: Type.Union([Type.Literal('fairlead'), Type.Literal('argo-cd')]), version: text }),
  components: Type.Array(
    Type.Object({
      name: text,
      /** What it is there for, in a few words. */
      role: optionalText,
      version: text,
      health: HealthCode,
      message: optionalText,
    }),
  ),
  clusters: Type.Array(
    Type.Object({
      name: text,
      server: text,
      version: optionalText,
      status: ClusterStatus,
      message: optionalText,
    }),
  ),
  /** Where its configuration comes from: `<repo>.git[/<path>][?ref=<branch>]`; absent until a Git provider is connected. */
  sharedConfigRepo: optionalText,
});
export type RuntimeReport = Static<typeof RuntimeReport>;

const stamp = {
  /**
   * `namespace/name` for applications and Git Sources, the address of a cluster's server, the runtime's name for itself and its access rules, `workloadKey` for workloads.
   * Together with the kind it names the object.
   */
  key: text,
  uid: text,
  /** Grows with each take-over of the object by a reporter; from a compare-and-swap in the runtime's cluster. */
  epoch: Type.Integer({ minimum: 1 }),
  /** Grows with each report of the object within an epoch. */
  sequence: Type.Integer({ minimum: 1 }),
  observedAt: text,
  /** Content hash of the payload; of `null` for a deletion. */
  hash: ContentHash,
};

export const ReportedObject = Type.Union([
  Type.Object({ kind: Type.Literal('application'), ...stamp, application: ApplicationReport }),
  Type.Object({ kind: Type.Literal('application'), ...stamp, deleted: Type.Literal(true) }),
  Type.Object({ kind: Type.Literal('runtime'), ...stamp, runtime: RuntimeReport }),
  Type.Object({ kind: Type.Literal('cluster'), ...stamp, cluster: ClusterReport }),
  Type.Object({ kind: Type.Literal('cluster'), ...stamp, deleted: Type.Literal(true) }),
  Type.Object({ kind: Type.Literal('git-source'), ...stamp, gitSource: GitSourceReport }),
  Type.Object({ kind: Type.Literal('git-source'), ...stamp, deleted: Type.Literal(true) }),
  Type.Object({ kind: Type.Literal('access-rules'), ...stamp, accessRules: AccessRulesReport }),
  Type.Object({ kind: Type.Literal('access-rules'), ...stamp, deleted: Type.Literal(true) }),
  Type.Object({ kind: Type.Literal('workload'), ...stamp, workload: WorkloadReport }),
  Type.Object({ kind: Type.Literal('workload'), ...stamp, deleted: Type.Literal(true) }),
]);
export type ReportedObject = Static<typeof ReportedObject>;

export const ReportBatch = Type.Object({
  /** Which reporter speaks, e.g. `application-reporter-0`; for logs and metrics. */
  reporter: text,
  objects: Type.Array(Type.Unknown(), { maxItems: 1000 }),
  contents: Type.Record(Type.String(), Type.Unknown()),
});
export type ReportBatch = Static<typeof ReportBatch>;

export const ReportReceipt = Type.Object({
  applied: Type.Integer(),
  /** Older than what is known, or known already. */
  ignored: Type.Integer(),
  /** Contents the platform lacks: send the objects that name them again, with these contents. */
  missingContents: Type.Array(text),
  /** Objects that could not be read; they are kept aside and shown, and must not be sent again as they are. */
  quarantined: Type.Array(Type.Object({ index: Type.Integer(), key: optionalText, reason: text })),
});
export type ReportReceipt = Static<typeof ReportReceipt>;

/** `POST /api/v1/events/digest`: after a gap, what the reporter believes about all objects of its shard. */
export const ReportDigest = Type.Object({
  reporter: text,
  kind: Type.Union([
    Type.Literal('application'),
    Type.Literal('cluster'),
    Type.Literal('git-source'),
    Type.Literal('access-rules'),
    Type.Literal('workload'),
  ]),
  epoch: Type.Integer({ minimum: 1 }),
  /** This reporter speaks for keys whose shard is `index` of `count`. */
  shard: Type.Object({ index: Type.Integer({ minimum: 0 }), count: Type.Integer({ minimum: 1 }) }),
  objects: Type.Record(Type.String(), ContentHash),
});
export type ReportDigest = Static<typeof ReportDigest>;

export const DigestAnswer = Type.Object({
  /** Keys whose content differs or is unknown here: report them. */
  send: Type.Array(text),
  /** Keys known here that the digest did not name: report them, or their deletion. */
  unknown: Type.Array(text),
});
export type DigestAnswer = Static<typeof DigestAnswer>;

// What the platform API answers with.
import { type Static, Type } from 'typebox';
import { HealthCode, HealthStatus, OperationPhase, SyncCode } from '../argo/application.ts';
import {
  ApplicationReport,
  ClusterReport,
  CommitReport,
  ContentHash,
  GitSourceReport,
  RuntimeReport,
} from '../events/report.ts';
import { UserRole } from './people.ts';
import { HostedInstall } from './setup.ts';

const text = Type.String();
const optionalText = Type.Optional(Type.String());

export const ApplicationId = Type.Object({ runtime: text, namespace: text, name: text });
export type ApplicationId = Static<typeof ApplicationId>;

/** A row of the list: what is needed to answer "is it all right, and what changed last". */
export const ApplicationRow = Type.Object({
  id: ApplicationId,
  project: text,
  health: HealthStatus,
  sync: Type.Object({ status: SyncCode, revision: optionalText }),
  /** Of the revision that it is compared with. */
  commit: Type.Optional(CommitReport),
  /** The commit that last changed what is deployed, where it is another one. */
  changeCommit: Type.Optional(CommitReport),
  destination: Type.Object({ cluster: text, namespace: text }),
  repoUrl: text,
  path: text,
  images: Type.Array(text),
  autoSync: Type.Boolean(),
  operation: Type.Optional(
    Type.Object({ phase: OperationPhase, message: optionalText, startedAt: text, finishedAt: optionalText }),
  ),
  /** One line for people: what is going on, '' when all is well. */
  note: text,
  /** When the runtime last reported a change of this application. */
  changedAt: text,
  /** When the platform last heard from its runtime; older than a minute means the row may be stale. */
  lastHeardAt: text,
});
export type ApplicationRow = Static<typeof ApplicationRow>;

export const ApplicationSummary = Type.Object({
  total: Type.Integer(),
  byHealth: Type.Record(Type.String(), Type.Integer()),
  bySync: Type.Record(Type.String(), Type.Integer()),
  /** The application that turned bad last, if any is bad now. */
  newestTrouble: Type.Optional(Type.Object({ id: ApplicationId, health: HealthCode, since: text })),
  /** With a total of nothing: no access rule lets the user see any, or what they see follows Git. Says not whether there are any. */
  unseen: Type.Optional(Type.Union([Type.Literal('rules'), Type.Literal('git')])),
});
export type ApplicationSummary = Static<typeof ApplicationSummary>;

export const ApplicationPage = Type.Object({
  items: Type.Array(ApplicationRow),
  /** Over all applications the filters select, not only this page. */
  matched: Type.Integer(),
  /** Give it as `after` to get the next page; absent on the last. */
  next: optionalText,
  /** Over all applications the user may see, without filters. */
  summary: ApplicationSummary,
  /** Where what the user sees follows Git: in how many repositories their rights are being looked up, so that more may come. */
  gitRights: Type.Optional(Type.Object({ checking: Type.Integer() })),
});
export type ApplicationPage = Static<typeof ApplicationPage>;

const Facet = Type.Object({
  /** The most frequent first, 200 at most. */
  values: Type.Array(Type.Object({ value: text, count: Type.Integer() })),
  /** There are values beyond these. */
  more: Type.Boolean(),
});

/** Each counted under all filters but its own. */
export const ApplicationFacets = Type.Object({
  health: Facet,
  sync: Facet,
  runtime: Facet,
  cluster: Facet,
  namespace: Facet,
  destinationNamespace: Facet,
  project: Facet,
  repo: Facet,
});
export type ApplicationFacets = Static<typeof ApplicationFacets>;

export const ApplicationDetail = Type.Object({
  row: ApplicationRow,
  report: ApplicationReport,
  /** When the past was asked for: since when it was like this. */
  at: optionalText,
});
export type ApplicationDetail = Static<typeof ApplicationDetail>;

/** As operations end; `Unknown` when the end of one was never observed. */
export const DeploymentPhase = Type.Union([OperationPhase, Type.Literal('Unknown')]);
export type DeploymentPhase = Static<typeof DeploymentPhase>;

/** One synchronisation of an application, as the runtime observed it. */
export const DeploymentRow = Type.Object({
  id: Type.Integer(),
  application: ApplicationId,
  /** It was synced to. */
  revision: text,
  /** The commit that changed the application where it is known, else that of `revision`. */
  commit: Type.Optional(CommitReport),
  /** What ran before it and what ran after it, as far as it was seen. */
  images: Type.Object({ from: Type.Array(text), to: Type.Array(text) }),
  initiator: optionalText,
  automated: Type.Boolean(),
  phase: DeploymentPhase,
  message: optionalText,
  startedAt: text,
  finishedAt: optionalText,
  durationMs: Type.Optional(Type.Integer()),
  /** The number in the engine's own history, by which it can be rolled back to. */
  historyId: Type.Optional(Type.Integer()),
});
export type DeploymentRow = Static<typeof DeploymentRow>;

export const DeploymentPage = Type.Object({ items: Type.Array(DeploymentRow), next: optionalText });
export type DeploymentPage = Static<typeof DeploymentPage>;

/** Newest first: each moment at which what was reported of the application changed. */
export const ApplicationTimeline = Type.Object({
  items: Type.Array(
    Type.Object({
      at: text,
      deleted: Type.Optional(Type.Boolean()),
      health: Type.Optional(HealthCode),
      sync: Type.Optional(SyncCode),
      revision: optionalText,
      /** Of the last operation at that moment. */
      phase: Type.Optional(OperationPhase),
    }),
  ),
  next: optionalText,
  /** Deployments per UTC day of the last 30 days; days without any are left out. */
  days: Type.Array(
    Type.Object({ day: text, succeeded: Type.Integer(), failed: Type.Integer(), other: Type.Integer() }),
  ),
});
export type ApplicationTimeline = Static<typeof ApplicationTimeline>;

const ResourceAtMoment = Type.Object({
  desired: Type.Optional(ContentHash),
  live: Type.Optional(ContentHash),
  sync: Type.Optional(SyncCode),
  health: Type.Optional(HealthCode),
});

export const ApplicationDiff = Type.Object({
  /** The moments that were really compared: of the versions in effect at those asked for. */
  from: Type.Object({ at: text, revision: optionalText, images: Type.Array(text) }),
  to: Type.Object({ at: text, revision: optionalText, images: Type.Array(text) }),
  /** Resources that differ; equal ones are only counted. */
  resources: Type.Array(
    Type.Object({
      group: text,
      kind: text,
      namespace: text,
      name: text,
      change: Type.Union([Type.Literal('added'), Type.Literal('removed'), Type.Literal('changed')]),
      before: Type.Optional(ResourceAtMoment),
      after: Type.Optional(ResourceAtMoment),
    }),
  ),
  unchanged: Type.Integer(),
});
export type ApplicationDiff = Static<typeof ApplicationDiff>;

/** The manifests of one managed resource or tree node; Secret values are masked. */
export const ResourceManifests = Type.Object({
  desired: Type.Optional(Type.Unknown()),
  live: Type.Optional(Type.Unknown()),
  diff: Type.Optional(Type.Object({ predicted: Type.Unknown(), normalized: Type.Unknown() })),
});
export type ResourceManifests = Static<typeof ResourceManifests>;

/**
 * How the platform reaches a runtime: by the tunnel that the runtime dials, or by a URL of its request router, behind an
 * ingress (https) or in a service mesh.
 */
export const RuntimeAccess = Type.Object({
  mode: Type.Union([Type.Literal('tunnel'), Type.Literal('ingress'), Type.Literal('mesh')]),
  /** Of the request router; not with the tunnel. */
  url: Type.Optional(Type.String({ maxLength: 2048 })),
});
export type RuntimeAccess = Static<typeof RuntimeAccess>;

export const RuntimeRow = Type.Object({
  name: text,
  kind: Type.Union([Type.Literal('hosted'), Type.Literal('hybrid')]),
  /** `connected`: the tunnel is up, or its URL answers. `offline`: it was registered, and is away. `pending`: not registered yet. */
  status: Type.Union([Type.Literal('connected'), Type.Literal('offline'), Type.Literal('pending')]),
  createdAt: text,
  lastHeardAt: optionalText,
  applications: Type.Integer(),
  report: Type.Optional(RuntimeReport),
  /** Absent: by its tunnel. */
  access: Type.Optional(RuntimeAccess),
  /** Of a hosted runtime that is being installed. */
  install: Type.Optional(HostedInstall),
  /** Of a pending runtime: until when its install token is taken. Absent: it has none, or it was revoked. */
  installTokenExpiresAt: optionalText,
});
export type RuntimeRow = Static<typeof RuntimeRow>;

const whereFrom = {
  runtime: text,
  /** When the runtime last reported a change of it. */
  changedAt: text,
  /** When the platform last heard from its runtime; older than a minute means the row may be stale. */
  lastHeardAt: text,
};

export const ClusterRow = Type.Object({ ...whereFrom, ...ClusterReport.properties });
export type ClusterRow = Static<typeof ClusterRow>;

/** Its id among applications is runtime, namespace and name: it is one. */
export const GitSourceRow = Type.Object({ ...whereFrom, ...GitSourceReport.properties });
export type GitSourceRow = Static<typeof GitSourceRow>;

/** A Git token of the caller that needs them: it ends soon, has ended, or lacks rights. Never the token. */
export const GitTokenWarning = Type.Object({
  runtime: text,
  host: text,
  /** Absent: it does not end, and something else is wrong. */
  expiresAt: optionalText,
  /** What is wrong and what to do, for people. */
  problem: text,
});
export type GitTokenWarning = Static<typeof GitTokenWarning>;

export const Me = Type.Object({
  user: Type.Object({
    id: text,
    name: text,
    email: optionalText,
    role: Type.Optional(UserRole),
    teams: Type.Optional(Type.Array(text)),
  }),
  account: Type.Object({ id: text, name: text }),
  /** Absent: none needs them, as far as the platform has heard. */
  gitTokenWarnings: Type.Optional(Type.Array(GitTokenWarning)),
});
export type Me = Static<typeof Me>;

/** One thing that a global search found; where it is shown follows from its kind and name. */
export const SearchHit = Type.Union([
  Type.Object({ kind: Type.Literal('application'), id: ApplicationId, health: HealthCode, sync: SyncCode }),
  Type.Object({ kind: Type.Literal('runtime'), name: text }),
  Type.Object({ kind: Type.Literal('project'), name: text, applications: Type.Integer() }),
  Type.Object({ kind: Type.Literal('cluster'), name: text, applications: Type.Integer() }),
]);
export type SearchHit = Static<typeof SearchHit>;

/** A reported object that could not be read; it was set aside and holds up no other. */
export const QuarantinedObject = Type.Object({
  id: Type.Integer(),
  at: text,
  reporter: text,
  key: text,
  reason: text,
});
export type QuarantinedObject = Static<typeof QuarantinedObject>;

/** The answer to an act: it was taken; its outcome arrives the way of a change. */
export const ActReceipt = Type.Object({
  accepted: Type.Literal(true),
  message: text,
});
export type ActReceipt = Static<typeof ActReceipt>;

export const SyncRequest = Type.Object({
  /** Default: the application's target revision. */
  revision: optionalText,
  prune: Type.Optional(Type.Boolean()),
  dryRun: Type.Optional(Type.Boolean()),
  force: Type.Optional(Type.Boolean()),
  resources: Type.Optional(
    Type.Array(Type.Object({ group: text, kind: text, namespace: text, name: text }), { maxItems: 1000 }),
  ),
  syncOptions: Type.Optional(Type.Array(text, { maxItems: 50 })),
});
export type SyncRequest = Static<typeof SyncRequest>;

export const RefreshRequest = Type.Object({ hard: Type.Optional(Type.Boolean()) });
export type RefreshRequest = Static<typeof RefreshRequest>;

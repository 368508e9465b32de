// Live state of the kinds that deliver progressively or run to an end: Rollouts, ReplicaSets, AnalysisRuns, Workflows. As the
// cluster has them, with secret values replaced.
import { type Static, Type } from 'typebox';

const text = Type.String();
const optionalText = Type.Optional(Type.String());
const count = Type.Integer({ minimum: 0 });

export const workloadKinds = ['Rollout', 'ReplicaSet', 'AnalysisRun', 'Workflow'] as const;
export const WorkloadKind = Type.Enum([...workloadKinds]);
export type WorkloadKind = Static<typeof WorkloadKind>;

const WorkloadSummary = Type.Object({
  /** Address of the cluster's server, as the engine has it. */
  cluster: text,
  group: text,
  version: text,
  kind: WorkloadKind,
  namespace: text,
  name: text,
  uid: text,
  createdAt: optionalText,
  /** The application that brought it, or its owner. */
  application: Type.Optional(Type.Object({ namespace: text, name: text })),
  /** What it was made by: the Rollout of a ReplicaSet or AnalysisRun. */
  owner: Type.Optional(Type.Object({ kind: text, name: text })),
  /** In the words of its kind (`Progressing`, `Paused`, `Running`, `Failed` …); '' while nothing has said. */
  phase: text,
  message: optionalText,
  replicas: Type.Optional(Type.Object({ desired: count, ready: count })),
  images: Type.Array(text),
});

export const WorkloadReport = Type.Object({
  ...WorkloadSummary.properties,
  /** Left out when it is larger than 256 KiB. */
  manifest: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export type WorkloadReport = Static<typeof WorkloadReport>;

/** What names it among all that a runtime reports. */
export const workloadKey = (of: Pick<WorkloadReport, 'kind' | 'namespace' | 'name' | 'cluster'>): string =>
  `${of.kind}/${of.namespace}/${of.name}@${of.cluster}`;

const whereFrom = { runtime: text, changedAt: text, lastHeardAt: text };

export const WorkloadRow = Type.Object({ ...whereFrom, ...WorkloadSummary.properties });
export type WorkloadRow = Static<typeof WorkloadRow>;

export const WorkloadDetail = Type.Object({ ...whereFrom, ...WorkloadReport.properties });
export type WorkloadDetail = Static<typeof WorkloadDetail>;

// From what the cluster and the engine say to what is reported. Pure, and the same input gives the same report: lists are
// sorted, and what changes without meaning (reconciledAt, resource versions) is left out, so that an unchanged
// application has an unchanged hash.
import { contentHash } from '@fairlead/base';
import {
  type Application,
  type ApplicationReport,
  type ApplicationTree,
  type CommitReport,
  initiatedByInfo,
  lastAppliedAnnotation,
  type ManagedResource,
  type OperationReport,
  operationsAnnotation,
  type ResourceReport,
  readOperationJournal,
  type TreeNodeReport,
} from '@fairlead/contracts';
import { explain } from '../why/index.ts';
import { changeRevisionsOf } from './change-revisions.ts';
import type { Redactor } from './redact.ts';

interface ReportInput {
  readonly application: Application;
  readonly tree: ApplicationTree;
  readonly managed: readonly ManagedResource[];
  readonly commit: CommitReport | undefined;
  readonly changeCommit?: CommitReport | undefined;
  /** Those that hold its manifest. */
  readonly repositories?: readonly string[] | undefined;
}

export interface BuiltReport {
  readonly report: ApplicationReport;
  readonly hash: string;
  /** Manifests by their hash, redacted. */
  readonly contents: ReadonlyMap<string, unknown>;
}

export function buildReport(input: ReportInput, redactor: Redactor): BuiltReport {
  const { application, tree, managed, commit, changeCommit, repositories = [] } = input;
  const contents = new Map<string, unknown>();
  const keep = (manifest: unknown): string => {
    const redacted = redactor.manifest(manifest);
    const hash = contentHash(redacted);
    contents.set(hash, redacted);
    return hash;
  };
  const { metadata, spec, status = {} } = application;
  const { [lastAppliedAnnotation]: _, [operationsAnnotation]: _journal, ...annotations } = metadata.annotations ?? {};
  const operation = operationOf(application);
  const operations = pastOperations(application);
  const explanation = explain({ application, nodes: tree.nodes ?? [], managed });
  const plain = {
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    uid: metadata.uid ?? '',
    ...(metadata.creationTimestamp ? { createdAt: metadata.creationTimestamp } : {}),
    ...(metadata.deletionTimestamp ? { deletingSince: metadata.deletionTimestamp } : {}),
    labels: metadata.labels ?? {},
    annotations,
    spec,
    ...(repositories.length > 0 ? { manifestRepositories: [...repositories] } : {}),
    sync: {
      status: status.sync?.status ?? 'Unknown',
      ...(status.sync?.revision ? { revision: status.sync.revision } : {}),
    },
    health: status.health ?? { status: 'Unknown' },
    ...(commit ? { commit } : {}),
    ...(changeCommit ? { changeCommit } : {}),
    ...(operation ? { operation } : {}),
    ...(operations.length > 0 ? { operations } : {}),
    history: status.history ?? [],
    conditions: status.conditions ?? [],
    images: (status.summary?.images ?? []).toSorted(),
    tree: treeOf(tree),
    ...(explanation ? { explanation } : {}),
  };
  // Redaction keeps the shape: it only replaces texts by texts.
  const redacted = redactor.value(plain) as typeof plain;
  const report: ApplicationReport = { ...redacted, resources: resourcesOf({ application, tree, managed }, keep) };
  return { report, hash: contentHash(report), contents };
}

function operationOf(application: Application): OperationReport | undefined {
  const state = application.status?.operationState;
  if (!state) return undefined;
  const { phase, message, startedAt, finishedAt, operation, syncResult } = state;
  const revision = syncResult?.revision || operation.sync?.revision;
  const actor = operation.info?.find(({ name }) => name === initiatedByInfo)?.value;
  const changeRevisions = changeRevisionsOf(application);
  const initiator = actor ?? operation.initiatedBy?.username;
  return {
    phase,
    startedAt,
    ...(message ? { message } : {}),
    ...(finishedAt ? { finishedAt } : {}),
    ...(revision ? { revision } : {}),
    ...(initiator ? { initiatedBy: initiator } : {}),
    ...(operation.initiatedBy?.automated ? { automated: true } : {}),
    ...(changeRevisions ? { changeRevisions: [...changeRevisions] } : {}),
    results: syncResult?.resources ?? [],
  };
}

/** Of the engine's journal: all but the one that the status tells of itself. */
function pastOperations({ metadata, status }: Application): OperationReport[] {
  const now = status?.operationState;
  return readOperationJournal(metadata.annotations)
    .filter(({ startedAt, finishedAt }) => startedAt !== now?.startedAt || finishedAt !== now.finishedAt)
    .map((entry) => ({ ...entry, results: [] }));
}

interface Identified {
  readonly group?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

const keyOf = ({ group = '', kind, namespace = '', name }: Identified) => `${group}/${kind}/${namespace}/${name}`;
const byKey = (a: Identified, b: Identified) => (keyOf(a) < keyOf(b) ? -1 : 1);

function treeOf({ nodes = [], orphanedNodes = [] }: ApplicationTree): TreeNodeReport[] {
  // Nodes of missing resources have no uid; their place in the tree is their name.
  const idOf = (node: Identified & { uid?: string }) => node.uid || keyOf(node);
  const orphans = new Set(orphanedNodes.map(idOf));
  const known = new Set(nodes.map(idOf));
  return nodes
    .filter((node) => !orphans.has(idOf(node)))
    .map((node) => ({
      uid: idOf(node),
      group: node.group ?? '',
      version: node.version ?? '',
      kind: node.kind,
      namespace: node.namespace ?? '',
      name: node.name,
      parents: (node.parentRefs ?? []).map(idOf).filter((id) => known.has(id)),
      ...(node.health ? { health: node.health } : {}),
      ...(node.images?.length ? { images: node.images.toSorted() } : {}),
      ...(node.createdAt ? { createdAt: node.createdAt } : {}),
      ...(node.info?.length ? { info: node.info } : {}),
    }))
    .sort(byKey);
}

/** Since version 3 Argo CD keeps the health of resources in the tree, not in the Application; older ones the other way. */
function resourcesOf(
  { application, tree, managed }: Omit<ReportInput, 'commit' | 'changeCommit'>,
  keep: (manifest: unknown) => string,
): ResourceReport[] {
  const manifests = new Map(managed.map((resource) => [keyOf(resource), resource]));
  const healths = new Map((tree.nodes ?? []).map((node) => [keyOf(node), node.health]));
  return (application.status?.resources ?? [])
    .map((resource) => ({ ...resource, health: resource.health ?? healths.get(keyOf(resource)) }))
    .map((resource) => ({
      group: resource.group ?? '',
      version: resource.version,
      kind: resource.kind,
      namespace: resource.namespace ?? '',
      name: resource.name,
      ...(resource.status ? { sync: resource.status } : {}),
      ...(resource.health ? { health: resource.health } : {}),
      ...(resource.hook ? { hook: true } : {}),
      ...(resource.requiresPruning ? { requiresPruning: true } : {}),
      ...manifestsOf(manifests.get(keyOf(resource)), keep),
    }))
    .sort(byKey);
}

function manifestsOf(
  resource: ManagedResource | undefined,
  keep: (manifest: unknown) => string,
): Pick<ResourceReport, 'desired' | 'live' | 'diff'> {
  if (!resource) return {};
  const [desired, live] = [parse(resource.targetState), parse(resource.liveState)];
  const [predicted, normalized] = [parse(resource.predictedLiveState), parse(resource.normalizedLiveState)];
  const differs =
    predicted !== undefined && normalized !== undefined && contentHash(predicted) !== contentHash(normalized);
  return {
    ...(desired === undefined ? {} : { desired: keep(desired) }),
    ...(live === undefined ? {} : { live: keep(live) }),
    ...(differs ? { diff: { predicted: keep(predicted), normalized: keep(normalized) } } : {}),
  };
}

/** The engine writes "null" or '' for what is not there. */
function parse(text: string | undefined): unknown {
  if (!text || text === 'null') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON: as good as not there, and the rest of the report still counts
  }
}

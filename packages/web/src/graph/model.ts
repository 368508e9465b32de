// The resource graph of an application, in pure steps: model → filter → group → layout. React only draws the outcome.
//
// Every reported tree node and every managed resource is in the model once. Each has one parent to hang from, so that
// the graph is a tree whatever was reported: unknown parents and circles end at the application; further parents
// are kept as extra edges.
import type { ApplicationDetail, HealthCode, ResourceReport, SyncCode, TreeNodeReport } from '@fairlead/contracts';
import { formatResourceRef, type ResourceRef } from '../api/index.ts';

export interface GraphNode extends ResourceRef {
  /** The resource's address; `''` for the application. */
  readonly key: string;
  readonly parent: string | undefined;
  readonly otherParents: readonly string[];
  /** Absent for kinds that have none, such as ConfigMap. */
  readonly health: HealthCode | undefined;
  readonly healthMessage: string | undefined;
  /** Absent for what Git does not manage. */
  readonly sync: SyncCode | undefined;
  readonly requiresPruning: boolean;
  readonly images: readonly string[];
  readonly createdAt: string | undefined;
  readonly info: readonly { readonly name: string; readonly value: string }[];
}

export interface ResourceGraph {
  /** By key, in drawing order. */
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly children: ReadonlyMap<string, readonly string[]>;
}

export const rootKey = '';

export function buildGraph({ row, report }: ApplicationDetail): ResourceGraph {
  const managed = new Map(report.resources.map((resource) => [formatResourceRef(resource), resource]));
  const keyByUid = new Map(report.tree.map((node) => [node.uid, formatResourceRef(node)]));
  const nodes = new Map<string, GraphNode>();
  for (const node of report.tree) {
    const key = formatResourceRef(node);
    nodes.set(key, liveNode(key, node, managed.get(key), keyByUid));
  }
  for (const [key, resource] of managed) if (!nodes.has(key)) nodes.set(key, absentNode(key, resource));
  const root: GraphNode = {
    ...{ key: rootKey, parent: undefined, otherParents: [], group: 'argoproj.io', kind: 'Application' },
    ...{ namespace: row.id.namespace, name: row.id.name, health: row.health.status, sync: row.sync.status },
    ...{ healthMessage: row.health.message, requiresPruning: false, images: [], info: [], createdAt: report.createdAt },
  };
  const ordered = [...nodes.values()].sort(byKindAndName).map((node) => hangSafely(node, nodes));
  return linkChildren(new Map([[rootKey, root], ...ordered.map((node) => [node.key, node] as const)]));
}

function liveNode(
  key: string,
  node: TreeNodeReport,
  managed: ResourceReport | undefined,
  keyByUid: ReadonlyMap<string, string>,
): GraphNode {
  const parents = node.parents.map((uid) => keyByUid.get(uid)).filter((parent) => parent !== undefined);
  const [parent = rootKey, ...otherParents] = [...new Set(parents)].filter((other) => other !== key);
  const health = managed?.health ?? node.health;
  return {
    ...{ key, parent, otherParents, group: node.group, kind: node.kind, namespace: node.namespace, name: node.name },
    ...{ health: health?.status, healthMessage: health?.message, sync: managed?.sync },
    ...{ requiresPruning: managed?.requiresPruning ?? false, images: node.images ?? [] },
    ...{ createdAt: node.createdAt, info: node.info ?? [] },
  };
}

/** In Git, not in the cluster. */
function absentNode(key: string, resource: ResourceReport): GraphNode {
  const { group, kind, namespace, name, sync, health } = resource;
  return {
    ...{ key, parent: rootKey, otherParents: [], group, kind, namespace, name, sync, images: [], info: [] },
    ...{ health: health?.status ?? 'Missing', healthMessage: health?.message, createdAt: undefined },
    requiresPruning: resource.requiresPruning ?? false,
  };
}

/** A node whose line of parents runs in a circle hangs from the application instead. */
function hangSafely(node: GraphNode, nodes: ReadonlyMap<string, GraphNode>): GraphNode {
  const seen = new Set([node.key]);
  for (let at = node.parent; at !== undefined && at !== rootKey; at = nodes.get(at)?.parent) {
    if (seen.has(at)) return { ...node, parent: rootKey };
    seen.add(at);
  }
  return node;
}

export function linkChildren(nodes: ReadonlyMap<string, GraphNode>): ResourceGraph {
  const children = new Map<string, string[]>();
  for (const { key, parent } of nodes.values()) {
    if (parent === undefined) continue;
    const siblings = children.get(parent);
    if (siblings) siblings.push(key);
    else children.set(parent, [key]);
  }
  return { nodes, children };
}

/** What people look for stands first: entry points, then workloads, then the rest. */
const kindOrder = ['Namespace', 'Ingress', 'Gateway', 'HTTPRoute', 'Service', 'Rollout', 'Deployment', 'StatefulSet'];
const kindRank = (kind: string): number => {
  const at = kindOrder.indexOf(kind);
  return at < 0 ? kindOrder.length : at;
};

const byKindAndName = (a: GraphNode, b: GraphNode): number =>
  kindRank(a.kind) - kindRank(b.kind) || a.kind.localeCompare(b.kind) || byName(a.name, b.name);

const { compare: byName } = new Intl.Collator('en', { numeric: true });

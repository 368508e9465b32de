// Many equal siblings become one node: same parent, kind, health and sync, and nothing below them. "12 ReplicaSets, all
// healthy" says as much as twelve boxes. Fewer than `groupFrom` stay as they are.
import { type GraphNode, type ResourceGraph, rootKey } from './model.ts';

export const groupFrom = 5;

export type DrawnNode =
  | { readonly type: 'resource'; readonly key: string; readonly parent: string | undefined; readonly node: GraphNode }
  | {
      readonly type: 'group';
      readonly key: string;
      readonly parent: string | undefined;
      /** Equal in kind, health and sync; at least `groupFrom`. */
      readonly members: readonly GraphNode[];
    };

export interface DrawnGraph {
  readonly nodes: ReadonlyMap<string, DrawnNode>;
  readonly children: ReadonlyMap<string, readonly string[]>;
}

/** `open`: groups that were opened, whose members are drawn one by one; `apart`: resources that never hide. */
export function groupGraph(graph: ResourceGraph, open: ReadonlySet<string>, apart: ReadonlySet<string>): DrawnGraph {
  const groups = new Map<string, GraphNode[]>();
  for (const node of graph.nodes.values()) {
    if (node.key === rootKey || graph.children.has(node.key) || apart.has(node.key)) continue;
    const key = groupKeyOf(node);
    groups.set(key, [...(groups.get(key) ?? []), node]);
  }
  const nodes = new Map<string, DrawnNode>();
  for (const node of graph.nodes.values()) {
    const key = groupKeyOf(node);
    const members = groups.get(key) ?? [];
    const isHidden = members.length >= groupFrom && !open.has(key) && members.includes(node);
    if (!isHidden) nodes.set(node.key, { type: 'resource', key: node.key, parent: node.parent, node });
    else if (!nodes.has(key)) nodes.set(key, { type: 'group', key, parent: node.parent, members });
  }
  return { nodes, children: childrenOf(nodes) };
}

const groupKeyOf = ({ parent, group, kind, health, sync }: GraphNode): string =>
  `group:${JSON.stringify([parent, group, kind, health, sync])}`;

function childrenOf(nodes: ReadonlyMap<string, DrawnNode>): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const { key, parent } of nodes.values()) {
    if (parent === undefined) continue;
    children.set(parent, [...(children.get(parent) ?? []), key]);
  }
  return children;
}

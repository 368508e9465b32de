import { type GraphNode, linkChildren, type ResourceGraph, rootKey } from './model.ts';

export interface FilteredGraph extends ResourceGraph {
  /** Keys that match the text; empty when there is no text. */
  readonly matches: ReadonlySet<string>;
}

/** Keeps what matches the text (name, kind or image) and the way to it from the application. */
export function filterGraph(graph: ResourceGraph, text: string): FilteredGraph {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return { ...graph, matches: new Set() };
  const matches = new Set<string>();
  const kept = new Set<string>([rootKey]);
  for (const node of graph.nodes.values()) {
    if (node.key === rootKey || !isMatch(node, wanted)) continue;
    matches.add(node.key);
    for (let at: string | undefined = node.key; at !== undefined && !kept.has(at); at = graph.nodes.get(at)?.parent) {
      kept.add(at);
    }
  }
  return { ...linkChildren(new Map([...graph.nodes].filter(([key]) => kept.has(key)))), matches };
}

const isMatch = ({ name, kind, images }: GraphNode, wanted: string): boolean =>
  name.toLowerCase().includes(wanted) ||
  kind.toLowerCase().includes(wanted) ||
  images.some((image) => image.toLowerCase().includes(wanted));

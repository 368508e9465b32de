// Places of the drawn nodes: a tidy tree from left to right (d3-hierarchy; linear, some ms for a thousand nodes).
import { hierarchy, tree } from 'd3-hierarchy';
import type { DrawnGraph } from './group.ts';
import { rootKey } from './model.ts';

export const nodeWidth = 220;
export const nodeHeight = 44;
const columnGap = 56;
const rowGap = 14;

export interface Place {
  readonly key: string;
  /** Left upper corner, from the left upper corner of the whole drawing. */
  readonly x: number;
  readonly y: number;
}

export interface Edge {
  readonly from: string;
  readonly to: string;
  /** SVG path. */
  readonly path: string;
  /** A further parent, beside the one the node hangs from. */
  readonly isExtra: boolean;
}

export interface GraphLayout {
  readonly places: ReadonlyMap<string, Place>;
  readonly edges: readonly Edge[];
  readonly width: number;
  readonly height: number;
}

export function layoutGraph(graph: DrawnGraph): GraphLayout {
  const root = hierarchy<string>(rootKey, (key) => graph.children.get(key) ?? []);
  tree<string>()
    .nodeSize([nodeHeight + rowGap, nodeWidth + columnGap])
    .separation((a, b) => (a.parent === b.parent ? 1 : 1.3))(root);
  const placed = root.descendants();
  const top = Math.min(...placed.map(({ x }) => x ?? 0));
  const places = new Map(
    placed.map((node) => [node.data, { key: node.data, x: node.y ?? 0, y: (node.x ?? 0) - top }] as const),
  );
  const all = [...places.values()];
  return {
    places,
    edges: [...edgesOf(graph, places)],
    width: Math.max(...all.map(({ x }) => x)) + nodeWidth,
    height: Math.max(...all.map(({ y }) => y)) + nodeHeight,
  };
}

function* edgesOf(graph: DrawnGraph, places: ReadonlyMap<string, Place>): Iterable<Edge> {
  for (const drawn of graph.nodes.values()) {
    const extras = drawn.type === 'resource' ? drawn.node.otherParents : [];
    for (const parent of [drawn.parent, ...extras]) {
      const from = parent === undefined ? undefined : places.get(parent);
      const to = places.get(drawn.key);
      if (!from || !to) continue;
      yield { from: from.key, to: to.key, path: edgePath(from, to), isExtra: from.key !== drawn.parent };
    }
  }
}

const bend = 8;

/** Right, down or up, right; with round corners. */
export function edgePath(from: Place, to: Place): string {
  const [x1, y1] = [from.x + nodeWidth, from.y + nodeHeight / 2];
  const [x2, y2] = [to.x, to.y + nodeHeight / 2];
  const middle = x2 - columnGap / 2;
  const radius = Math.min(bend, Math.abs(y2 - y1) / 2);
  if (radius < 0.5) return `M${x1} ${y1}H${x2}`;
  const turn = y2 > y1 ? radius : -radius;
  const first = `M${x1} ${y1}H${middle - radius}Q${middle} ${y1} ${middle} ${y1 + turn}`;
  return `${first}V${y2 - turn}Q${middle} ${y2} ${middle + radius} ${y2}H${x2}`;
}

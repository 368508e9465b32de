import type { DrawnGraph } from './group.ts';
import type { GraphLayout } from './layout.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The node an arrow key leads to: along the edges left and right, within the column up and down. */
export function neighbour(
  graph: DrawnGraph,
  layout: GraphLayout,
  key: string,
  direction: Direction,
): string | undefined {
  const here = layout.places.get(key);
  if (!here) return undefined;
  if (direction === 'left') return graph.nodes.get(key)?.parent;
  const nearest = (keys: readonly string[]) =>
    keys
      .map((other) => ({ other, distance: Math.abs((layout.places.get(other)?.y ?? 0) - here.y) }))
      .sort((a, b) => a.distance - b.distance)[0]?.other;
  if (direction === 'right') return nearest(graph.children.get(key) ?? []);
  const column = [...layout.places.values()].filter(
    ({ x, y }) => x === here.x && (direction === 'up' ? y < here.y : y > here.y),
  );
  return nearest(column.map(({ key: other }) => other));
}

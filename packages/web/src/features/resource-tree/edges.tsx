import { memo } from 'react';
import type { Edge, GraphLayout } from '../../graph/index.ts';

/** Edges a path: thousands of elements are slow to make, and one path over everything is slow to draw. */
const perPath = 200;

export const Edges = memo(function Edges({ layout }: { readonly layout: GraphLayout }) {
  const plain = layout.edges.filter(({ isExtra }) => !isExtra);
  const extra = layout.edges.filter(({ isExtra }) => isExtra);
  return (
    <svg
      aria-hidden
      className="absolute top-0 left-0 overflow-visible"
      width={layout.width}
      height={layout.height}
      fill="none"
      stroke="var(--line)"
      strokeWidth="1.5"
    >
      {joined(plain).map((path) => (
        <path key={path} d={path} />
      ))}
      {joined(extra).map((path) => (
        <path key={path} d={path} strokeDasharray="4 4" />
      ))}
    </svg>
  );
});

function joined(edges: readonly Edge[]): string[] {
  const count = Math.ceil(edges.length / perPath);
  return Array.from({ length: count }, (_, index) =>
    edges
      .slice(index * perPath, (index + 1) * perPath)
      .map(({ path }) => path)
      .join(''),
  );
}

import { memo } from 'react';
import type { GraphLayout } from '../../graph/index.ts';

export const Edges = memo(function Edges({ layout }: { readonly layout: GraphLayout }) {
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
      {layout.edges.map(({ from, to, path, isExtra }) => (
        <path key={`${from} ${to}`} d={path} {...(isExtra ? { strokeDasharray: '4 4' } : {})} />
      ))}
    </svg>
  );
});

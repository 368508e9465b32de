import { type MouseEvent, memo } from 'react';
import { type GraphLayout, nodeHeight, nodeWidth, type Size, type View, visibleBox } from '../../graph/index.ts';

interface MinimapProps {
  readonly layout: GraphLayout;
  readonly view: View;
  readonly size: Size;
  readonly onLook: (point: { readonly x: number; readonly y: number }) => void;
}

const mapSize = { width: 160, height: 200 };
/** A tall tree would be a thread; it is stretched to this. */
const leastWidth = 56;

/** The whole drawing in small, for the pointer only; the keyboard walks the edges. */
export function Minimap({ layout, view, size, onLook }: MinimapProps) {
  const scale = Math.min(mapSize.width / layout.width, mapSize.height / layout.height);
  const width = Math.max(leastWidth, layout.width * scale);
  const seen = visibleBox(view, size, 0);
  const look = (event: MouseEvent<SVGSVGElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    onLook({ x: ((event.clientX - left) / width) * layout.width, y: (event.clientY - top) / scale });
  };
  return (
    <svg
      aria-hidden
      onClick={look}
      width={width}
      height={layout.height * scale}
      preserveAspectRatio="none"
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      className="absolute right-3 bottom-3 cursor-pointer overflow-hidden rounded border border-line bg-surface max-md:hidden"
    >
      <Dots layout={layout} />
      <rect
        {...seen}
        fill="var(--accent)"
        fillOpacity="0.12"
        stroke="var(--accent)"
        strokeWidth="2"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

/** Apart, since a pan moves only the frame above them; one path, since thousands of elements are slow to make. */
const Dots = memo(function Dots({ layout }: { readonly layout: GraphLayout }) {
  const path = [...layout.places.values()].map(({ x, y }) => `M${x} ${y}h${nodeWidth}v${nodeHeight}h${-nodeWidth}z`);
  return <path d={path.join('')} fill="var(--line-strong)" />;
});

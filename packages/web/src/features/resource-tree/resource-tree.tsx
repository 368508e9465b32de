// The drawn tree: HTML buttons over one SVG of edges, moved together by one transform. What to draw and where is decided
// by `graph/`; this only draws, and turns keys and pointers into moves.
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import {
  type Direction,
  type FilteredGraph,
  groupGraph,
  layoutGraph,
  neighbour,
  nodeHeight,
  nodeWidth,
  rootKey,
} from '../../graph/index.ts';
import { Empty } from '../../ui/index.ts';
import { Edges } from './edges.tsx';
import { Minimap } from './minimap.tsx';
import { TreeNode } from './tree-node.tsx';
import { useView } from './use-view.ts';
import { visiblePlaces } from './visible-places.ts';
import { ZoomButtons } from './zoom-buttons.tsx';

interface ResourceTreeProps {
  readonly graph: FilteredGraph;
  readonly selected: string | undefined;
  readonly onSelect: (key: string) => void;
}

const arrows: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
const minimapFrom = 200;

export function ResourceTree({ graph, selected, onSelect }: ResourceTreeProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState(rootKey);
  const canvas = useRef<HTMLDivElement>(null);
  const drawn = useMemo(() => groupGraph(graph, open, new Set(selected ? [selected] : [])), [graph, open, selected]);
  const layout = useMemo(() => layoutGraph(drawn), [drawn]);
  const { view, size, moves } = useView(canvas, layout);
  const focusable = drawn.nodes.has(focused) ? focused : rootKey;
  const revealed = (key: string) => {
    const place = layout.places.get(key);
    if (place) moves.reveal({ x: place.x, y: place.y, width: nodeWidth, height: nodeHeight });
  };
  const revealSelected = useRef(revealed);
  revealSelected.current = revealed;
  useEffect(() => {
    if (selected && size) revealSelected.current(selected);
  }, [selected, size]);

  const onKeyDown = (event: KeyboardEvent) => {
    const direction = arrows[event.key];
    if (direction) {
      event.preventDefault();
      const next = neighbour(drawn, layout, focusable, direction);
      if (next === undefined) return;
      setFocused(next);
      revealed(next);
      requestAnimationFrame(() => focusNode(canvas.current, next));
    } else if (event.key === '+' || event.key === '=') moves.zoom(1.25);
    else if (event.key === '-') moves.zoom(0.8);
    else if (event.key === '0') moves.fit();
  };

  const activate = (key: string) => {
    const node = drawn.nodes.get(key);
    setFocused(key);
    if (node?.type === 'group') setOpen(new Set([...open, key]));
    else if (key !== rootKey) onSelect(key);
  };

  return (
    <div className="relative min-h-80 flex-1 overflow-hidden rounded-lg border border-line dotted max-md:h-[60vh]">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div
        ref={canvas}
        role="group"
        aria-label="Resource tree"
        onKeyDown={onKeyDown}
        className="absolute inset-0 cursor-grab touch-none overflow-hidden active:cursor-grabbing"
      >
        <div
          className="absolute top-0 left-0 origin-top-left"
          style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`, opacity: size ? 1 : 0 }}
        >
          <Edges layout={layout} />
          {visiblePlaces(layout, view, size, focusable).map((place) => {
            const node = drawn.nodes.get(place.key);
            return node ? (
              <TreeNode
                key={place.key}
                {...{ node, place }}
                isSelected={place.key === selected}
                isMatch={graph.matches.has(place.key)}
                isFocusable={place.key === focusable}
                onFocus={() => setFocused(place.key)}
                onActivate={() => activate(place.key)}
              />
            ) : null;
          })}
        </div>
      </div>
      {graph.nodes.size === 1 ? (
        <div className="pointer-events-none absolute inset-x-0 bottom-0">
          <Empty title={graph.matches.size === 0 ? 'No resources to show' : ''} />
        </div>
      ) : null}
      {layout.places.size > minimapFrom && size ? <Minimap {...{ layout, view, size }} onLook={moves.look} /> : null}
      <ZoomButtons moves={moves} />
    </div>
  );
}

const focusNode = (canvas: HTMLElement | null, key: string): void =>
  canvas?.querySelector<HTMLElement>(`[data-node="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });

import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import {
  type Box,
  fitView,
  type GraphLayout,
  nodeHeight,
  panBy,
  reveal,
  rootKey,
  type Size,
  startView,
  type View,
  zoomAt,
} from '../../graph/index.ts';

export interface ViewMoves {
  /** Zooms about the middle of the window. */
  readonly zoom: (factor: number) => void;
  readonly fit: () => void;
  readonly reveal: (box: Box) => void;
  /** Brings a point of the drawing to the middle of the window. */
  readonly look: (point: { readonly x: number; readonly y: number }) => void;
}

/**
 * Pan and zoom of the canvas. Until somebody moves it, it shows the whole drawing; afterwards it stays where it was put,
 * whatever changes in the drawing.
 */
export function useView(canvas: RefObject<HTMLElement | null>, drawing: GraphLayout) {
  const [view, setView] = useState<View>({ x: 0, y: 0, scale: 1 });
  const size = useSize(canvas);
  const isMoved = useRef(false);
  const move = useCallback((change: (view: View) => View) => {
    isMoved.current = true;
    setView(change);
  }, []);
  const { width, height } = drawing;
  const rootY = (drawing.places.get(rootKey)?.y ?? 0) + nodeHeight / 2;
  useLayoutEffect(() => {
    if (size && !isMoved.current) setView(startView({ width, height }, size, rootY));
  }, [size, width, height, rootY]);
  useWheel(canvas, move);
  useDrag(canvas, move);
  const moves: ViewMoves = useMemo(() => {
    const middle = { x: (size?.width ?? 0) / 2, y: (size?.height ?? 0) / 2 };
    return {
      zoom: (factor) => move((now) => zoomAt(now, middle, factor)),
      fit: () => {
        isMoved.current = false;
        if (size) setView(fitView({ width, height }, size));
      },
      reveal: (box) => {
        if (size) setView((now) => reveal(now, box, size));
      },
      look: ({ x, y }) => move(({ scale }) => ({ scale, x: middle.x - x * scale, y: middle.y - y * scale })),
    };
  }, [size, width, height, move]);
  return { view, size, moves };
}

type Move = (change: (view: View) => View) => void;

function useSize(canvas: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>();
  // Measured at once too: the tree is drawn with the page, and not a frame after it.
  useLayoutEffect(() => {
    if (!canvas.current) return;
    setSize({ width: canvas.current.clientWidth, height: canvas.current.clientHeight });
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(canvas.current);
    return () => observer.disconnect();
  }, [canvas]);
  return size;
}

/** Wheel pans; with Ctrl or ⌘, which is also what a pinch sends, it zooms about the pointer. */
function useWheel(canvas: RefObject<HTMLElement | null>, move: Move): void {
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      const point = { x: event.clientX - left, y: event.clientY - top };
      if (event.ctrlKey || event.metaKey) move((view) => zoomAt(view, point, Math.exp(-event.deltaY / 300)));
      else move((view) => panBy(view, -event.deltaX, -event.deltaY));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [canvas, move]);
}

function useDrag(canvas: RefObject<HTMLElement | null>, move: Move): void {
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const onDown = (event: PointerEvent) => {
      if (event.button !== 0 || (event.target instanceof Element && event.target.closest('button'))) return;
      element.setPointerCapture(event.pointerId);
    };
    const onMove = (event: PointerEvent) => {
      if (!element.hasPointerCapture(event.pointerId)) return;
      move((view) => panBy(view, event.movementX, event.movementY));
    };
    element.addEventListener('pointerdown', onDown);
    element.addEventListener('pointermove', onMove);
    return () => {
      element.removeEventListener('pointerdown', onDown);
      element.removeEventListener('pointermove', onMove);
    };
  }, [canvas, move]);
}

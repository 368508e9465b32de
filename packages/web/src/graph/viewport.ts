// Pan and zoom as values: screen = drawing × scale + offset.
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

const minScale = 0.1;
const maxScale = 2;
const margin = 24;

const clampScale = (scale: number): number => Math.min(maxScale, Math.max(minScale, scale));

/** All of the drawing, never larger than life. */
export function fitView(drawing: Size, window: Size): View {
  const room = { width: window.width - 2 * margin, height: window.height - 2 * margin };
  const scale = clampScale(Math.min(1, room.width / drawing.width, room.height / drawing.height));
  return {
    scale,
    x: Math.max(margin, (window.width - drawing.width * scale) / 2),
    y: Math.max(margin, (window.height - drawing.height * scale) / 2),
  };
}

/** Smaller than this, names cannot be read. */
const readableScale = 0.7;

/** What is shown first: all, or, where that would be too small to read, the beginning at the height of the root. */
export function startView(drawing: Size, window: Size, rootY: number): View {
  const fitted = fitView(drawing, window);
  if (fitted.scale >= readableScale) return fitted;
  const height = drawing.height * readableScale;
  const y =
    height <= window.height - 2 * margin ? (window.height - height) / 2 : window.height / 2 - rootY * readableScale;
  return { scale: readableScale, x: margin, y };
}

/** Zooms so that the point of the window stays where it is. */
export function zoomAt(view: View, point: { readonly x: number; readonly y: number }, factor: number): View {
  const scale = clampScale(view.scale * factor);
  const ratio = scale / view.scale;
  return { scale, x: point.x - (point.x - view.x) * ratio, y: point.y - (point.y - view.y) * ratio };
}

export const panBy = (view: View, dx: number, dy: number): View => ({ ...view, x: view.x + dx, y: view.y + dy });

/** The smallest pan that brings the box into the window. */
export function reveal(view: View, box: Box, window: Size): View {
  const shift = (start: number, length: number, room: number): number => {
    if (start < margin) return margin - start;
    const over = start + length - (room - margin);
    return over > 0 ? -Math.min(over, start - margin) : 0;
  };
  const dx = shift(view.x + box.x * view.scale, box.width * view.scale, window.width);
  const dy = shift(view.y + box.y * view.scale, box.height * view.scale, window.height);
  return dx === 0 && dy === 0 ? view : panBy(view, dx, dy);
}

/** The part of the drawing the window shows, with a rim, so that far nodes need not be drawn. */
export function visibleBox(view: View, window: Size, rim: number): Box {
  return {
    x: -view.x / view.scale - rim,
    y: -view.y / view.scale - rim,
    width: window.width / view.scale + 2 * rim,
    height: window.height / view.scale + 2 * rim,
  };
}

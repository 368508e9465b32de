import {
  type GraphLayout,
  nodeHeight,
  nodeWidth,
  type Place,
  type Size,
  type View,
  visibleBox,
} from '../../graph/index.ts';

/** Below this many, drawing all is cheaper than choosing. */
const drawAllUpTo = 300;
const rim = 200;

/** The places in sight, and the one that holds the focus, which must not vanish with it. */
export function visiblePlaces(
  layout: GraphLayout,
  view: View,
  window: Size | undefined,
  focused: string,
): readonly Place[] {
  const all = [...layout.places.values()];
  if (all.length <= drawAllUpTo) return all;
  if (!window) return all.filter(({ key }) => key === focused); // before the canvas is measured nothing is in sight
  const box = visibleBox(view, window, rim);
  return all.filter(
    ({ key, x, y }) =>
      key === focused ||
      (x + nodeWidth > box.x && x < box.x + box.width && y + nodeHeight > box.y && y < box.y + box.height),
  );
}

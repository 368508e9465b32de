export { describeDrawn, describeNode, groupTitle } from './describe.ts';
export { type FilteredGraph, filterGraph } from './filter.ts';
export { type DrawnGraph, type DrawnNode, groupGraph } from './group.ts';
export { kindBadge } from './kind-badge.ts';
export { type Edge, type GraphLayout, layoutGraph, nodeHeight, nodeWidth, type Place } from './layout.ts';
export { buildGraph, type GraphNode, type ResourceGraph, rootKey } from './model.ts';
export { type Direction, neighbour } from './navigate.ts';
export { type Box, fitView, panBy, reveal, type Size, startView, type View, visibleBox, zoomAt } from './viewport.ts';

export { ClusterCache, type LiveChange } from './cluster-cache.ts';
export { descendants, imagesOf, resourceTree } from './resource-tree.ts';
export { trackedBy, trackingId } from './tracking.ts';

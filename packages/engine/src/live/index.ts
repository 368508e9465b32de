export { ClusterCache, type LiveChange } from './cluster-cache.ts';
export type { KindRule } from './exclusions.ts';
export { externalUrlsOf } from './networking.ts';
export { descendants, imagesOf, resourceTree } from './resource-tree.ts';
export {
  byAnnotation,
  type Tracking,
  type TrackingMethod,
  trackedBy,
  trackingId,
  trackingMethods,
  withTracking,
} from './tracking.ts';

export { buildId } from './build-id.ts';
export { DiskRenders } from './disk-renders.ts';
export { RenderCache, type RenderTrees } from './render-cache.ts';

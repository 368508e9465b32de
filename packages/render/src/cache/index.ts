export { RenderCache } from './render-cache.ts';

export { RenderPool, type RenderPoolOptions } from './render-pool.ts';

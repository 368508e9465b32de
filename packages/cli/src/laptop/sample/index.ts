export { ensureSample } from './ensure.ts';

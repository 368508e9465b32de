export { diffObject, maskSecrets } from './diff/index.ts';
export { healthOf } from './health/index.ts';
export { engineRole } from './roles/engine.ts';

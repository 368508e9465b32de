export { diffObject, maskSecrets } from './diff/index.ts';
export { judgeObjects } from './judge-objects.ts';
export { engineRole } from './roles/engine.ts';

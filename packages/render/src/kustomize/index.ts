export { withSource } from './argo-source.ts';
export { localTarget } from './build.ts';
export { isFields, listOf, textOf } from './fields.ts';
export { looseKustomization } from './kustomization.ts';
export { type KustomizeRequest, renderKustomize } from './render-kustomize.ts';

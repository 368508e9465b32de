export { renderKustomize } from './render-kustomize.ts';

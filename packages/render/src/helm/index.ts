export { type HelmTarget, renderHelm } from './render-helm.ts';

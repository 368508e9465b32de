export { manifestText } from './manifest-text.ts';
export { type HelmTarget, renderHelm } from './render-helm.ts';

export { chartFiles } from './chart.ts';
export { escapedCommas, givenFiles } from './given-values.ts';
export { loadChart } from './load.ts';
export { manifestText } from './manifest-text.ts';
export { manifestsOf } from './manifests.ts';
export { type HelmRequest, type HelmTarget, nameFromTemplate, renderHelm } from './render-helm.ts';
export { helmSourceOf } from './source.ts';

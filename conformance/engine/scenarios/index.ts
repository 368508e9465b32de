export { definePlays } from './chapters.ts';
export { playOnEmbeddedCluster } from './on-embedded-cluster.ts';
export type { Stage } from './stage.ts';

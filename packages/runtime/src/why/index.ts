export type { ContainerLog, Evidence, KubeEvent, PodObject } from './evidence.ts';
export { explain } from './explain.ts';
export { gatherEvidence } from './gather.ts';

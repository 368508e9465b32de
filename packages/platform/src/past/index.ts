export { compareMoments } from './compare.ts';
export { type DeploymentQuery, listDeployments } from './list-deployments.ts';
export type { SeenReport } from './plan.ts';
export { applicationAt, type PastApplication, timelineOf } from './read.ts';
export {
  deploymentsHash,
  type FailedDeployment,
  recordDeployments,
  type SeenApplication,
} from './record-deployments.ts';
export { keepContents, type NewVersion, recordVersions, versionMoment } from './record-versions.ts';
export { sweepPast } from './sweep.ts';

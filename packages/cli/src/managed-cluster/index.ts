export { addCluster } from './add-cluster.ts';
export { type ChosenContext, chooseContext } from './choose-context.ts';
export { sealCredentials } from './give-credentials.ts';
export { explained, grantAccess } from './grant-access.ts';
export { accessManifests } from './manifests.ts';
export { parsePairs } from './pairs.ts';

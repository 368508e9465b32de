// Rules that a stored object keeps. Each returns what is wrong, in Kubernetes' words.
export { validateConfigMap, validateSecret } from './config-data.ts';
export { validateCustomResourceDefinition } from './custom-resource-definition.ts';
export { validateCronJob, validateJob } from './job.ts';
export { validateFinalizers, validateMetadata } from './metadata.ts';
export { validateNewName } from './name.ts';
export { validateIngress, validateService } from './network.ts';
export { validatePod } from './pod.ts';
export { validateBinding, validateRole } from './role.ts';
export { validateWebhooks } from './webhooks.ts';
export { validateReplicationController, validateStatefulSet, validateWorkload } from './workload.ts';

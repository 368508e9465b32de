export { engineServiceLabels, findEngine } from './argo-cd/index.ts';
export {
  configurationApplication,
  firstFiles,
  gitSourceApplication,
  gitSourceFile,
  parseSharedConfigUrl,
  readGitSource,
  writeManifest,
} from './configuration/index.ts';
export { type HostedSite, runProvisioner } from './hosted-provisioner/index.ts';
export { type RegisterOptions, readIdentity, registerRuntime } from './identity/index.ts';
export { type Removal, removeRuntime } from './removal/index.ts';
export { appProxyRole } from './roles/app-proxy.ts';
export { applicationReporterRole } from './roles/application-reporter.ts';
export { changeRevisionRole } from './roles/change-revision.ts';
export { requestRouterRole } from './roles/request-router.ts';
export { resourceReporterRole } from './roles/resource-reporter.ts';
export { sourceServerRole } from './roles/source-server.ts';
export { tunnelClientRole } from './roles/tunnel-client.ts';

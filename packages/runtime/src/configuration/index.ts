export {
  accessRuleFile,
  accessRulesFolder,
  type ReadRule,
  readAccessRule,
  writeAccessRule,
} from './access-rule.ts';
export { type ClusterMarks, clusterMarksOf, withClusterMarks } from './cluster-record.ts';
export { InvalidConfigurationError } from './errors.ts';
export { gitRightsFile, readGitRights, writeGitRights } from './git-rights.ts';
export {
  bringingProjectName,
  type GitSource,
  type GitSourceInput,
  gitSourceApplication,
  gitSourceOf,
  readGitSource,
} from './git-source.ts';
export {
  assertName,
  clusterFile,
  gitSourceFile,
  gitSourceProjectsFile,
  inClusterName,
  placed,
} from './layout.ts';
export { readManifest, readManifests, writeManifest, writeManifests } from './manifest-text.ts';
export { generatedFor, limitsIn, projectsOf, type RestrictedPlace, readLimits } from './restricted-git-source.ts';
export {
  clusterApplication,
  clusterApplicationName,
  configurationApplication,
  configurationApplicationName,
  firstFiles,
  type RuntimePlace,
  sharedConfigOf,
} from './runtime-applications.ts';
export {
  formatSharedConfigUrl,
  parseSharedConfigUrl,
  type SharedConfigAddress,
} from './shared-config-url.ts';

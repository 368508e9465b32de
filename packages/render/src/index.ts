export {
  ArchiveTree,
  type ChartReference,
  ChartRepositories,
  type ChartRepository,
  type ChartSource,
  chartOfSource,
  type FetchedChart,
  limitedCharts,
  type UsedChart,
} from './charts/index.ts';
export { directorySelection, manifestsOfText } from './directory/index.ts';
export { RenderError, UnsupportedSourceError } from './errors.ts';
export { fromJson, sprigFunctions, TemplateError, TemplateSet } from './gotemplate/index.ts';
export { type HelmTarget, manifestText } from './helm/index.ts';
export {
  type LoadedSources,
  manifestsOf,
  type PushLook,
  type RenderContext,
  type RepositoryAccessOptions,
  RepositoryCredentials,
  RepositoryTrust,
  SourceLoader,
} from './load/index.ts';
export type { Manifest } from './manifest.ts';
export {
  type ApplicationPlan,
  applicationsIn,
  applicationsOf,
  type ObjectChange,
  objectChanges,
  type Plan,
  type PlannedApplication,
  type PlanRequest,
  type PlanSide,
  plan,
} from './plan/index.ts';
export { RenderPool } from './pool/index.ts';
export { type ProgramSource, Programs } from './programs/index.ts';
export { AllowedRemotes, type RemoteTrees } from './remotes/index.ts';
export { Renderer, type RenderOptions, type RenderRequest, type RenderResult, render } from './renderer.ts';
export type { SourceType } from './source-type.ts';
export { FolderTree, GitTree, type ReadSet, type SourceTree, stillHolds } from './tree/index.ts';
export { parseDocuments } from './yaml/index.ts';

export { directorySelection } from './directory/index.ts';
export { RenderError, UnsupportedSourceError } from './errors.ts';
export { fromJson, sprigFunctions, TemplateError, TemplateSet } from './gotemplate/index.ts';
export type { HelmTarget } from './helm/index.ts';
export type { Manifest } from './manifest.ts';
export { Renderer, type RenderOptions, type RenderRequest, type RenderResult, render } from './renderer.ts';
export type { SourceType } from './source-type.ts';
export { GitTree, type ReadSet, type SourceTree, stillHolds } from './tree/index.ts';
export { parseDocuments } from './yaml/index.ts';

export { CallError, TemplateError, TemplateLimitError } from './errors.ts';
export type { Budget } from './exec.ts';
export { define, sprigFunctions, text, whole } from './sprig/index.ts';
export { TemplateSet } from './template-set.ts';
export { fromJson, type GoFunction, GoMap, GoSlice, GoStruct, int64, type Value } from './value.ts';

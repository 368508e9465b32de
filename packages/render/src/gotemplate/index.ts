export type { Budget } from './environment.ts';
export { CallError, TemplateError } from './errors.ts';
export { formatFloat } from './float.ts';
export { bytesOf } from './format.ts';
export { ParsedTemplates } from './parsed-templates.ts';
export {
  deepCopy,
  define,
  jsonNumber,
  parseConstraints,
  parseVersion,
  type SprigContext,
  satisfies,
  sprigFunctions,
  text,
  toJsonText,
} from './sprig/index.ts';
export { defaultBudget, TemplateSet } from './template-set.ts';
export {
  fromJson,
  GoFunc,
  type GoFunction,
  GoInt,
  GoMap,
  GoSlice,
  GoStruct,
  int,
  int64,
  strings,
  type Value,
} from './value.ts';

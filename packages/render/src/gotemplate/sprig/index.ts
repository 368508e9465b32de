export type { SprigContext } from './context.ts';
export { define, type Functions, isEmpty, text, textOf, whole } from './define.ts';
export { deepCopy } from './dicts.ts';
export { jsonNumber, toJsonText } from './json.ts';
export { sprigFunctions } from './sprig.ts';
export { parseConstraints, parseVersion, satisfies } from './version.ts';

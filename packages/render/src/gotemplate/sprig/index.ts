export { parseConstraints, parseVersion, satisfies } from '@fairlead/base';
export type { SprigContext } from './context.ts';
export { define, text } from './define.ts';
export { deepCopy } from './dicts.ts';
export { jsonNumber, toJsonText } from './json.ts';
export { sprigFunctions } from './sprig.ts';

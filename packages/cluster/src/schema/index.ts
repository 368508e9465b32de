export { DecodeError, decodeObject, zeroValue } from './decode.ts';
export { builtInName, publicSchemas } from './public.ts';
export { parseQuantity } from './quantity.ts';
export { builtInSchema, type Schema } from './schema.ts';
export { shapeOf } from './shape.ts';
export { fillDefaults, prune } from './structural.ts';
export { validateBySchema } from './validate.ts';

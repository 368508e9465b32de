// From a schema to what merging and ownership must know: which lists are keyed or sets, what is one value, what is a map.
import type { KeyedListShape, Shape, StructShape } from '@fairlead/kube/patch';
import { resolved, type Schema } from './schema.ts';

const atomic: Shape = { type: 'atomic' };
const shapes = new WeakMap<Schema, Shape | undefined>();

export function shapeOf(given: Schema): Shape | undefined {
  const schema = resolved(given);
  if (!shapes.has(schema)) {
    // A schema may hold itself (JSONSchemaProps): what is met again while it is being read is one value.
    shapes.set(schema, atomic);
    shapes.set(schema, read(schema));
  }
  const shape = shapes.get(schema);
  if (shape?.type !== 'struct' || given === schema) return shape;
  // Marks beside a reference are about this place.
  const here = structMarks(given);
  return Object.keys(here).length === 0 ? shape : { ...shape, ...here };
}

function structMarks(schema: Schema): Partial<StructShape> {
  const strategy = String(schema['x-kubernetes-patch-strategy'] ?? '').split(',');
  return {
    ...(schema['x-kubernetes-map-type'] === 'atomic' ? { atomicForApply: true } : {}),
    ...(strategy.includes('retainKeys') ? { retainKeys: true } : {}),
  };
}

function read(schema: Schema): Shape | undefined {
  if (schema.type === 'array') return listShape(schema);
  if (schema.properties) {
    const fields = Object.entries(schema.properties).flatMap(([name, inner]): [string, Shape][] => {
      const shape = shapeOf(inner);
      return shape ? [[name, shape]] : [];
    });
    return { type: 'struct', fields: Object.fromEntries(fields), ...structMarks(schema) };
  }
  const { additionalProperties } = schema;
  if (typeof additionalProperties === 'object') {
    const other = shapeOf(additionalProperties);
    return { type: 'struct', fields: {}, ...(other ? { other } : {}), ...structMarks(schema) };
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return undefined;
  return schema.type === 'object' && schema['x-kubernetes-map-type'] !== 'atomic' ? undefined : atomic;
}

function listShape(schema: Schema): Shape {
  const item = schema.items ? shapeOf(schema.items) : undefined;
  const mergeKey = schema['x-kubernetes-patch-merge-key'];
  const merges = String(schema['x-kubernetes-patch-strategy'] ?? '').includes('merge');
  if (schema['x-kubernetes-list-type'] === 'set') return { type: 'set' };
  if (schema['x-kubernetes-list-type'] === 'map') {
    const keys = (schema['x-kubernetes-list-map-keys'] ?? []) as readonly string[]; // strings by OpenAPI's own rule
    return keyed(schema, {
      keys,
      ...(merges && typeof mergeKey === 'string' ? { mergeKey } : {}),
      ...(item ? { item } : {}),
    });
  }
  if (merges && typeof mergeKey === 'string')
    return { type: 'keyed-list', mergeKey, keys: [], ...(item ? { item } : {}) };
  return atomic;
}

function keyed(schema: Schema, shape: Omit<KeyedListShape, 'type'>): KeyedListShape {
  const properties = schema.items ? (resolved(schema.items).properties ?? {}) : {};
  const defaults = shape.keys.flatMap((key): [string, unknown][] => {
    const value = properties[key]?.default;
    return value === undefined || value === '' || value === 0 ? [] : [[key, value]];
  });
  return {
    type: 'keyed-list',
    ...shape,
    ...(defaults.length > 0 ? { keyDefaults: Object.fromEntries(defaults) } : {}),
  };
}

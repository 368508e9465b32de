// Schemas as the outside sees them: references in OpenAPI's own form, and everything they lead to beside them.
import { builtInSchemas } from './built-in.gen.ts';
import type { Schema } from './schema.ts';

const prefix = '#/components/schemas/';

/** The name under which a built-in schema is known; undefined when it is not one. */
export function builtInName(schema: Schema): string | undefined {
  return Object.entries(builtInSchemas).find(([, known]) => known === schema)?.[0];
}

/** The given schemas and all they refer to, by name. */
export function publicSchemas(roots: Readonly<Record<string, Schema>>): Record<string, object> {
  const found: Record<string, object> = {};
  const pending = Object.entries(roots);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [name, schema] = next;
    if (Object.hasOwn(found, name)) continue;
    found[name] = published(schema, (reference) => {
      const target = builtInSchemas[reference];
      if (target && !Object.hasOwn(found, reference)) pending.push([reference, target]);
    });
  }
  return found;
}

function published(schema: Schema, meet: (reference: string) => void): Record<string, unknown> {
  const { $ref, properties, items, additionalProperties, ...rest } = schema;
  const inner = (value: Schema) => published(value, meet);
  if ($ref !== undefined) meet($ref);
  const reference = $ref === undefined ? undefined : { $ref: `${prefix}${$ref}` };
  return {
    ...rest,
    // A reference with something beside it stands in a list of its own, as OpenAPI 3.0 wants it.
    ...(reference && (Object.keys(rest).length > 0 ? { allOf: [reference] } : reference)),
    ...(properties && { properties: mapValues(properties, inner) }),
    ...(items && { items: inner(items) }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: inner(additionalProperties) } : {}),
    ...(additionalProperties === true ? { additionalProperties } : {}),
  };
}

const mapValues = (record: Readonly<Record<string, Schema>>, change: (value: Schema) => unknown) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
